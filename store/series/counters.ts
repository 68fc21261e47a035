/** Of all series, those that only grow: the others are values of their moment. */
export function isCounter(name: string): boolean {
  return name === 'loadline_events_total';
}
