/** An app that asks who you are: the name and the password come from the environment, and are stored nowhere. */
export default async ({ page, env }) => {
  await page.getByLabel('Email').fill(env.APP_USER);
  await page.getByLabel('Password').fill(env.APP_PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Join' }).click();
};

/** Leaves as a person does, so that the app's own session ends. */
export const leave = async ({ page }) => {
  await page.getByRole('button', { name: 'Leave' }).click();
};
