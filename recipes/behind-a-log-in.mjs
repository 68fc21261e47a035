/**
 * An app that asks who you are: each user of the file of --users logs in once, before anybody joins. With one user for
 * all, leave --users out, and take both from env.
 */
export const prepare = async ({ page, user, env }) => {
  await page.goto('/login');
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password').fill(env.APP_PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  // Until the app has set its cookies.
  await page.getByRole('button', { name: 'Log out' }).waitFor();
};

export default async ({ page }) => {
  await page.getByRole('button', { name: 'Join' }).click();
};

/** Leaves as a person does, so that the app's own session ends. */
export const leave = async ({ page }) => {
  await page.getByRole('button', { name: 'Leave' }).click();
};
