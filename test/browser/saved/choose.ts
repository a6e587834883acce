import type { Page } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';

/** Milliseconds after which the option is looked for again. */
const CLICK = 5_000;

/** Types into a combobox and takes the option that begins with it. */
export async function choose(page: Page, label: string, typed: string): Promise<void> {
  const field = page.getByRole('combobox', { name: label, exact: true });
  // Fields have their description after the name; other names may end like this one.
  const option = page.getByRole('option', { name: new RegExp(`^${typed.replaceAll('.', '\\.')}`) }).first();
  await until(`${typed} is chosen`, async () => {
    await field.fill(typed);
    // The answer of a search may draw the options again under the pointer.
    return option.click({ timeout: CLICK }).then(
      () => true,
      () => false,
    );
  });
}

/** Fills the query of a form. The plain field makes room for the editor once it is loaded. */
export async function fillQuery(page: Page, label: string, query: string): Promise<void> {
  await page.locator('.cm-content').waitFor();
  await page.getByRole('textbox', { name: label }).fill(query);
}

/** Takes an option of a list that is not typed into. */
export async function pick(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}
