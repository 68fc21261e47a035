import { randomBytes } from 'node:crypto';
import type { MediaKind } from '../../model/scenario.js';
import type { IceCredentials } from '../../rtp/ice-restart.js';
import { Link, type LinkListener, type LocalCandidate } from '../../rtp/link.js';
import { type Offer, readOffer } from '../../rtp/sdp.js';
import { type AcceptedMedia, acceptMedia, writeAnswer } from '../media/answer.js';
import { EndpointMedia } from '../media/endpoint-media.js';
import type { Flow } from '../media/flows.js';
import { Messages } from '../media/messages.js';
import type { MediaInput, MediaOutput } from '../media/ports.js';
import { RepackedOutput, reworkOf } from '../repacking/repacked-output.js';
import { alreadyNegotiated, sdpParseError } from '../rpc/rpc-error.js';
import { MediaElement } from './media-element.js';
import { bindOperation, type MediaObject, mediaKinds, newObjectId, type Operation } from './media-object.js';
import { webRtcEndpointOperations } from './webrtc-operations.js';
import {
  type Bandwidths,
  candidateLine,
  candidatePair,
  type IceState,
  type WebRtcPeer,
  webRtcEvents,
} from './webrtc-shapes.js';

interface Negotiation {
  readonly offer: Offer;
  readonly accepted: readonly AcceptedMedia[];
}

/** Kurento's WebRtcEndpoint: one browser's peer connection, as a source and a sink of its pipeline. */
export class WebRtcEndpoint extends MediaElement implements WebRtcPeer {
  readonly type = 'WebRtcEndpoint';
  readonly hierarchy = [
    'kurento.BaseRtpEndpoint',
    'kurento.SdpEndpoint',
    'kurento.SessionEndpoint',
    'kurento.Endpoint',
    'kurento.MediaElement',
    'kurento.MediaObject',
  ];
  readonly events = webRtcEvents;
  readonly bandwidths: Bandwidths;
  readonly media: EndpointMedia;
  readonly #link: Link;
  readonly #cname = `user${randomBytes(4).readUInt32BE()}@host-${randomBytes(4).toString('hex')}`;
  readonly #sessionId = randomBytes(4).readUInt32BE();
  #negotiation: Negotiation | undefined;
  #candidate: LocalCandidate | undefined;
  #announced = false;
  #gathered = false;
  readonly #forwardingTold = new Set<MediaKind>();
  readonly #repacked: Partial<Record<MediaKind, RepackedOutput>> = {};
  pair: { readonly local: LocalCandidate; readonly remote: LocalCandidate } | undefined;
  iceState: IceState = 'DISCONNECTED';
  connectionState: 'CONNECTED' | 'DISCONNECTED' = 'DISCONNECTED';
  mediaState: 'CONNECTED' | 'DISCONNECTED' = 'DISCONNECTED';

  constructor(parent: MediaObject, usesData = false) {
    super(parent.context, parent, newObjectId(parent, 'WebRtcEndpoint'));
    const { host, egress, onReceived, maxVideoKbps, followEstimates } = this.context;
    this.bandwidths = {
      minVideoRecv: 100,
      minVideoSend: 100,
      maxVideoRecv: 0,
      maxVideoSend: maxVideoKbps,
      minAudioRecv: 0,
      maxAudioRecv: 0,
    };
    this.#link = new Link({ host, egress, onReceived }, this.#linkListener());
    this.media = new EndpointMedia({
      ...this.context,
      link: this.#link,
      cname: this.#cname,
      maxVideoRecvKbps: () => this.bandwidths.maxVideoRecv,
      maxVideoSendKbps: () => this.bandwidths.maxVideoSend,
      minVideoKbps: () => (followEstimates ? this.bandwidths.minVideoRecv : 0),
      onFlow: (flow, kind, flowing) => this.#onFlow(flow, kind, flowing),
      onRtcp: () => this.#setMediaState(),
      onCodecRefused: (kind, codec) =>
        this.emitError('UNSUPPORTED_CODEC', 0, `The browser did not negotiate ${codec}, so its ${kind} is not sent.`),
    });
    if (usesData)
      this.messages = new Messages({ ...this.context, link: this.#link, sinks: () => this.sinksOf('DATA') });
  }

  protected override operation(name: string): Operation | undefined {
    return bindOperation<WebRtcPeer>(webRtcEndpointOperations, this, name);
  }

  override output(kind: MediaKind): MediaOutput {
    const rework = reworkOf(kind, this.context.imitation);
    if (!rework) return this.media.output(kind);
    const onDead = (detail: string) =>
      this.emitError('REPACKER_DIED', 0, `What takes the ${kind} of this endpoint apart ended: ${detail}`);
    this.#repacked[kind] ??= new RepackedOutput(this.media.output(kind), rework, this.context.clock, onDead);
    return this.#repacked[kind];
  }

  override input(kind: MediaKind): MediaInput | undefined {
    return this.media.input(kind);
  }

  override isFlowing(flow: Flow, kind: MediaKind): boolean {
    return this.media.flowing(flow, kind);
  }

  get negotiated(): boolean {
    return this.#negotiation !== undefined;
  }

  processOffer(sdp: string): string {
    if (this.negotiated) throw alreadyNegotiated();
    if (sdp === '') throw sdpParseError('Empty offer not valid');
    const offer = readOffer(sdp);
    if (offer === undefined) throw sdpParseError('Invalid SDP');
    const { rtx, congestion } = this.context.imitation;
    const transportNumbers = congestion === 'twcc';
    const accepted = acceptMedia(offer, { rtx: rtx || transportNumbers, transportNumbers });
    this.#negotiation = { offer, accepted };
    this.media.negotiate(accepted);
    this.attachAll();
    this.#link.setRemote(offer.transport);
    if (this.#gathered) this.#announce();
    return this.#answer(undefined);
  }

  #answer(address: LocalCandidate | undefined): string {
    const negotiation = this.#negotiation;
    if (negotiation === undefined) return '';
    const { iceUfrag, icePwd, fingerprint } = this.#link;
    return writeAnswer(negotiation.offer, negotiation.accepted, {
      sessionId: this.#sessionId,
      ssrcs: this.media.ssrcs,
      rtxSsrc: this.media.rtxSsrc,
      takesData: this.messages !== undefined,
      cname: this.#cname,
      iceUfrag,
      icePwd,
      fingerprint,
      candidates: address === undefined ? [] : [candidateLine(address)],
      defaultAddress: address,
    });
  }

  localDescription(): string {
    return this.#answer(this.#candidate);
  }

  gatherCandidates(): Promise<void> {
    return this.#link.gather();
  }

  addIceCandidate(line: string): void {
    this.#link.addRemoteCandidate(line);
  }

  /** Resolves with the answer that has this server's new credentials. Before an offer nothing was started. */
  async restartIce(remote: IceCredentials): Promise<string> {
    await this.#link.restart(remote);
    return this.localDescription();
  }

  #linkListener(): LinkListener {
    return {
      onLocalCandidate: (candidate) => {
        this.#candidate = candidate;
      },
      onGathered: () => {
        this.#gathered = true;
        if (this.negotiated) this.#announce();
      },
      onIceConnecting: () => this.#setIceState('CONNECTING'),
      onIceSelected: (local, remote) => this.#select(local, remote),
      onConnected: () => this.#connected(),
      onFailed: (why) => this.emitError('WEBRTC_TRANSPORT', 0, why),
      onRtp: (packet) => this.media.onRtp(packet),
      onRtcp: (compound) => this.media.onRtcp(compound),
    };
  }

  /** Candidates belong to m-lines, so they are told when both the socket and the offer are there. */
  #announce(): void {
    const candidate = this.#candidate;
    if (this.#announced || candidate === undefined) return;
    this.#announced = true;
    this.#setIceState('GATHERING');
    this.emit('IceComponentStateChanged', { componentId: 2, state: 'GATHERING', streamId: 1 });
    for (const media of this.#negotiation?.accepted ?? []) {
      const { lineIndex, mid } = media;
      const line = { candidate: candidateLine(candidate), sdpMLineIndex: lineIndex, sdpMid: mid };
      this.emit('IceCandidateFound', { candidate: { __module__: 'kurento', __type__: 'IceCandidate', ...line } });
    }
    this.emit('IceGatheringDone');
  }

  #setIceState(state: IceState): void {
    this.iceState = state;
    this.emit('IceComponentStateChanged', { componentId: 1, state, streamId: 1 });
  }

  #select(local: LocalCandidate, remote: LocalCandidate): void {
    this.pair = { local, remote };
    this.emit('NewCandidatePairSelected', { candidatePair: candidatePair(local, remote) });
    this.#setIceState('CONNECTED');
    this.#setIceState('READY');
  }

  #connected(): void {
    this.connectionState = 'CONNECTED';
    this.emit('ConnectionStateChanged', { newState: 'CONNECTED', oldState: 'DISCONNECTED' });
    this.media.start();
  }

  #setMediaState(): void {
    this.mediaState = 'CONNECTED';
    this.emit('MediaStateChanged', { newState: 'CONNECTED', oldState: 'DISCONNECTED' });
  }

  #onFlow(flow: Flow, kind: MediaKind, flowing: boolean): void {
    const type = flow === 'in' ? 'MediaFlowInStateChanged' : 'MediaFlowOutStateChanged';
    const state = flowing ? 'FLOWING' : 'NOT_FLOWING';
    this.emit(type, { mediaType: kind.toUpperCase(), padName: 'default', state });
    if (flow === 'out' && flowing) this.#tellForwarding(kind);
  }

  /** Kurento says once, when media first reaches a sink, whether it transcodes. */
  #tellForwarding(kind: MediaKind): void {
    if (this.#forwardingTold.has(kind) || this.media.track(kind).inputs.length === 0) return;
    if (!this.media.flowing('out', kind)) return;
    this.#forwardingTold.add(kind);
    this.emit('MediaTranscodingStateChanged', {
      binName: `embedded-${mediaKinds.indexOf(kind)}`,
      mediaType: kind.toUpperCase(),
      state: 'NOT_TRANSCODING',
    });
  }

  protected override onConnected(kind: MediaKind): void {
    this.#tellForwarding(kind);
  }

  override async dispose(): Promise<void> {
    await super.dispose();
    await Promise.all(Object.values(this.#repacked).map((one) => one.close()));
    await this.messages?.close();
    this.media.close();
    await this.#link.close();
  }
}
