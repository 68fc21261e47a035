/** BigBlueButton's client, at a join link of your meeting: with the microphone past the echo test, and a camera. */
export default async ({ page }) => {
  await page.locator('[data-test="microphoneBtn"]').click();
  await page.locator('[data-test="echoYesBtn"]').click();
  await page.locator('[data-test="joinVideo"]').click();
  await page.locator('[data-test="startSharingWebcam"]').click();
};

export const leave = async ({ page }) => {
  await page.locator('[data-test="leaveMeetingDropdown"]').click();
  await page.locator('[data-test="directLogoutButton"]').click();
};
