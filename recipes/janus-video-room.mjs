/** The video room demo that comes with Janus: a room for each session, which the first who comes makes. */
export default async ({ page, session, participant }) => {
  await page.waitForFunction('typeof Janus !== "undefined" && typeof server === "string"');
  await page.evaluate(makeRoom, roomOf(session));
  await page.click('#start');
  await page.fill('#username', participant);
  await page.click('#register');
  await page.waitForSelector('#videolocal video', { state: 'attached' });
};

/** Its rooms have numbers. */
const roomOf = (session) => [...session].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_000_007, 7);

/** Runs in the page, whose own settings say where its Janus is. */
async function makeRoom(room) {
  const ask = async (path, body) => {
    const text = JSON.stringify({ transaction: Math.random().toString(36).slice(2), ...body });
    const response = await fetch(server + path, { method: 'POST', body: text });
    return response.json();
  };
  const made = await ask('', { janus: 'create' });
  const mine = `/${made.data.id}`;
  const attached = await ask(mine, { janus: 'attach', plugin: 'janus.plugin.videoroom' });
  const body = { request: 'create', room, publishers: 64, bitrate: 500_000 };
  const { plugindata } = await ask(`${mine}/${attached.data.id}`, { janus: 'message', body });
  await ask(mine, { janus: 'destroy' });
  // 427: somebody else of the session has made it.
  const { error_code: code = 427, error } = plugindata.data;
  if (code !== 427) throw new Error(`no room can be made: ${error}`);
  window.myroom = room;
}
