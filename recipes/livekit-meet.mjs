/** LiveKit Meet, at https://HOST/rooms/{session}. */
export default async ({ page, participant }) => {
  await page.fill('#username', participant);
  await page.click('button[type=submit]');
  await page.waitForSelector('.lk-participant-tile');
};
