import type { Browser } from 'playwright-core';
import { benchAlert } from '../alert-documents.ts';
import type { Say } from '../load.ts';
import { type Figure, median } from '../report.ts';
import { openPage, type Visitor } from './pages.ts';
import { paintAfter } from './paints.ts';

const INDICATORS = 300;

export interface LookUpOptions {
  readonly browser: Browser;
  readonly visitor: Visitor;
  readonly rounds: number;
  readonly say: Say;
}

interface Values {
  readonly destination: { readonly ip: string; readonly domain?: string };
  readonly file: { readonly hash: { readonly sha256: string } };
}

/** Measures how long 300 pasted indicators take until they are marked. */
export async function measureLookUp({ browser, visitor, rounds, say }: LookUpOptions): Promise<readonly Figure[]> {
  say(`pasted lines with ${INDICATORS} indicators`);
  const { page, close } = await openPage(browser, visitor);
  try {
    await page.goto('/enrichment');
    const area = page.getByRole('textbox').first();
    const times: number[] = [];
    for (let round = 0; round < rounds + 1; round += 1) {
      await area.fill(textOf(round));
      const { took } = await paintAfter(
        page,
        { kind: 'seen', selector: 'main:not(:has([data-busy])) mark[data-opinion]' },
        () => area.press('Control+Enter'),
      );
      if (round > 0) times.push(took);
      await page.getByRole('button', { name: 'Edit' }).click();
    }
    return [
      { name: `${INDICATORS} indicators marked by local sources, p50`, value: median(times), unit: 'ms', goal: 400 },
    ];
  } finally {
    await close();
  }
}

/** Returns a report with addresses and hashes of stored alerts. */
function textOf(round: number): string {
  const lines = Array.from({ length: INDICATORS / 2 }, (_, index) => {
    const { destination, file } = benchAlert(round * INDICATORS + index, 0) as unknown as Values;
    return `The host wrote ${file.hash.sha256} and then reached ${destination.ip} three times.`;
  });
  return lines.join('\n');
}
