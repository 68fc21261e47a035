/** Jitsi Meet, at https://HOST/{session}#config.p2p.enabled=false, so that two people do not leave the server out. */
export default async ({ page, participant }) => {
  await page.fill('#premeeting-name-input', participant);
  await page.click('[data-testid="prejoin.joinMeeting"]');
  await page.waitForSelector('#largeVideoContainer');
};
