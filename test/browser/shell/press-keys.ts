import type { Page } from 'playwright-core';

/** Presses keys as the key map writes them, one after the other: `Ctrl+k`, `g h`. */
export async function pressKeys(page: Page, sequence: string): Promise<void> {
  for (const key of sequence.split(' ')) await page.keyboard.press(key.replace('Ctrl+', 'Control+'));
}
