const heartbeatMs = 250;

/** A worker that does not get the CPU holds every frame of its page up; its own timer tells. */
export function startHeartbeat(): { takeLateMs(): number } {
  let worstMs = 0;
  let dueMs = performance.now() + heartbeatMs;
  setInterval(() => {
    const now = performance.now();
    worstMs = Math.max(worstMs, now - dueMs);
    dueMs = Math.max(dueMs + heartbeatMs, now);
  }, heartbeatMs);
  return {
    takeLateMs() {
      const lateMs = Math.max(worstMs, performance.now() - dueMs, 0);
      worstMs = 0;
      return lateMs;
    },
  };
}
