import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Offences } from './browser.ts';

/** Opens an address and signs in by the form that it shows, in either language. */
export async function signInAt(page: Page, path: string, user = 'admin', password = user): Promise<void> {
  await page.goto(path);
  await fillSignIn(page, user, password);
  await page.getByRole('navigation').first().waitFor();
}

/** Sends the form of a sign-in that is on the page already. */
export async function fillSignIn(page: Page, user: string, password: string): Promise<void> {
  await page.locator('input[autocomplete=username]').fill(user);
  await page.locator('input[autocomplete=current-password]').fill(password);
  await page.keyboard.press('Enter');
}

/** Fails where a page broke its policy, asked another origin or threw; refused requests are no errors. */
export function assertNoOffence({ violations, foreign, errors }: Offences): void {
  const others = errors.filter((error) => !/Failed to load resource|WebSocket/.test(error));
  assert.deepEqual({ violations, foreign, others }, { violations: [], foreign: [], others: [] });
}
