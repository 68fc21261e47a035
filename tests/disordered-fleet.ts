import type { Sample } from '../model/sample.js';
import type { StartFleet } from '../probes/fleet.js';
import { randomFrom } from './random.js';

/** Of the samples of a second so many come with a later one, and so many come twice. */
const lateShare = 0.1;
const twiceShare = 0.05;
const mostSecondsLate = 3;

/** Probes whose samples take ways of different length: in any order, some seconds late, some twice. */
export function disordered(seed: number, startFleet: StartFleet): StartFleet {
  return (options, listener) => {
    const random = randomFrom(seed);
    const onTheWay: { readonly sample: Sample; seconds: number }[] = [];
    return startFleet(options, {
      ...listener,
      onEvent: (event) => listener.onEvent(event),
      onSamples: (samples) => {
        for (const sample of samples) {
          const late = () => (random() < lateShare ? Math.ceil(mostSecondsLate * random()) : 0);
          onTheWay.push({ sample, seconds: late() });
          if (random() < twiceShare) onTheWay.push({ sample, seconds: late() });
        }
        const came = onTheWay.filter(({ seconds }) => seconds <= 0).map(({ sample }) => ({ sample, place: random() }));
        const left = onTheWay.filter(({ seconds }) => seconds > 0).map((one) => ({ ...one, seconds: one.seconds - 1 }));
        onTheWay.splice(0, onTheWay.length, ...left);
        listener.onSamples(came.sort((a, b) => a.place - b.place).map(({ sample }) => sample));
      },
    });
  };
}
