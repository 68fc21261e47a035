/** mediasoup-demo, at https://HOST:3000/?roomId={session}&displayName={participant}: to open it is to join. */
export default async ({ page }) => {
  await page.waitForSelector('[data-component=Me]');
};
