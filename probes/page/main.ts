import type { Sample } from '../../model/sample.js';
import { openCamera } from './camera.js';
import { startTicks, type Tick } from './clock.js';
import { offeredCodecs } from './codecs.js';
import { DrawingCamera } from './drawn/drawing-camera.js';
import { encodeClip } from './encoded/encode-clip.js';
import { EncodedMedia, standInCamera } from './encoded/encoded-media.js';
import { type EncodedScope, runWorker } from './encoded/worker.js';
import { PageProbe } from './probe.js';
import type { ProbeSource } from './probe-source.js';
import { SentPictures } from './quality/sent-pictures.js';
import type { HostFunction, PageMedia, PageSetup, PageTable } from './wire.js';

declare global {
  // Given by Node before the page loads.
  function loadlineHost(...call: Parameters<HostFunction>): ReturnType<HostFunction>;
  var loadlinePage: PageTable;
}

const batchWaitMs = 800;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The functions of this page, over state that lives in this call. */
function pageTable(host: HostFunction): PageTable {
  const probes = new Map<string, PageProbe>();
  let opened: { readonly setup: PageSetup; readonly source: ProbeSource } | undefined;
  let stopTicks: () => void = () => undefined;

  let outbox: Sample[] = [];

  // One batch a second. A reading that hangs holds up nobody else's: it goes with a later batch.
  const readAll = async (tick: Tick): Promise<void> => {
    const report = opened?.source.encoded?.reports.take(batchWaitMs);
    const readings = [...probes.values()].map(async (probe) => {
      const sample = await probe.sample(tick, report);
      if (sample) outbox.push(sample);
    });
    await Promise.race([Promise.allSettled(readings), sleep(batchWaitMs)]);
    const samples = outbox;
    outbox = [];
    if (samples.length === 0) return;
    const lines = samples.map((sample) => JSON.stringify(sample));
    await host({ call: 'samples', samples: lines.join('\n') });
  };

  return {
    async warmUp(setup) {
      opened = { setup, source: await openSource(setup) };
      stopTicks = startTicks(setup.tickPhaseMs, (tick) => void readAll(tick));
    },
    encodeClip,
    start(order) {
      if (!opened) throw new Error('the page has no camera yet');
      const probe = new PageProbe(order, opened.setup.media, opened.source, host);
      probes.set(order.participant.id, probe);
      void probe.start();
    },
    candidate(probe, leg, candidate) {
      void probes.get(probe)?.addCandidate(leg, candidate);
    },
    async renegotiate(probe, leg, offer) {
      return (await probes.get(probe)?.renegotiate(leg, offer)) ?? null;
    },
    async hangUp(ids) {
      const leaving = ids.map((id) => probes.get(id)?.leave());
      for (const id of ids) probes.delete(id);
      await Promise.all(leaving);
      const gone = new Set(ids);
      outbox = outbox.filter(({ probe }) => !gone.has(probe));
    },
    async leave() {
      stopTicks();
      await Promise.all([...probes.values()].map((probe) => probe.leave()));
    },
  };
}

/** The camera of full probes, or the small one of encoded probes and what replaces its frames. */
async function openSource({ media, encoded, sends, clock }: PageSetup): Promise<ProbeSource> {
  for (const kind of ['audio', 'video'] as const) offeredCodecs(kind, media.videoCodec);
  if (!encoded) {
    const camera = sends ? { camera: await openCamera(media) } : {};
    let sent: SentPictures | undefined;
    const sentPictures = () => {
      sent ??= new SentPictures(media);
      return sent;
    };
    return { clock, ...camera, sentPictures, ...picturesOf(media, clock, camera.camera) };
  }
  const replacing = await EncodedMedia.open(encoded, clock, media.videoCodec);
  if (!sends) return { clock, encoded: replacing };
  return { clock, camera: await openCamera({ ...media, ...standInCamera }), encoded: replacing };
}

/** Marks that are drawn into what the camera gives, by this clock. */
function picturesOf(media: PageMedia, clock: number, camera?: MediaStream): Pick<ProbeSource, 'pictures'> {
  if (!media.drawnMarks) return {};
  const [track] = camera?.getVideoTracks() ?? [];
  return { pictures: { media, clock, ...(track ? { camera: new DrawingCamera(track, clock) } : {}) } };
}

// One script for both: what runs in the worker shares the clip's format and types with what runs in the page.
if (typeof document === 'undefined') runWorker(globalThis as unknown as EncodedScope);
else globalThis.loadlinePage = pageTable((call) => globalThis.loadlineHost(call));
