/** The echo test that comes with Janus: who sends gets back what was sent. */
export default async ({ page }) => {
  await page.click('#start');
  await page.waitForSelector('#peervideo0, #videoright video', { state: 'attached' });
};
