import type { Browser, Page } from 'playwright-core';
import { until } from '../../src/testing/until.ts';
import { benchAlert } from '../alert-documents.ts';
import type { Send } from '../http-load.ts';
import type { Say } from '../load.ts';
import { type Figure, median } from '../report.ts';
import { openList, openPage, ROW, type Visitor } from './pages.ts';
import { quantile } from './quantile.ts';

/** Alerts that are assessed as one. */
const BULK = 500;
/** Rows that a second browser changes, which all fit into the list. */
const CHANGED = 12;
const TRANSITIONS = ['assign_to_me', 'release'];

export interface TogetherOptions {
  readonly browser: Browser;
  readonly visitor: Visitor;
  readonly colleague: Visitor;
  /** Requests of the administrator to the alert service. */
  readonly send: Send;
  readonly say: Say;
}

/** Measures changes of a second browser, and of many alerts at once. */
export async function measureTogether(options: TogetherOptions): Promise<readonly Figure[]> {
  const seen = await measureSeen(options);
  const bulk: number[] = [];
  for (let run = 0; run < 3; run += 1) bulk.push(await measureBulk(options, run));
  return [
    { name: 'a transition in another browser is seen, p95', value: quantile(seen, 0.95), unit: 'ms', goal: 300 },
    { name: `${BULK} alerts assessed as one, p50`, value: median(bulk) / 1000, unit: 's', goal: 3 },
  ];
}

async function measureSeen({ browser, visitor, colleague, send, say }: TogetherOptions): Promise<number[]> {
  say('transitions in another browser');
  const analytic = 'Bench together';
  const ids = await create(send, analytic, CHANGED);
  const here = await openPage(browser, visitor);
  const there = await openPage(browser, colleague);
  try {
    await openList(here.page, `howler.analytic:"${analytic}"`);
    await openList(there.page, `howler.analytic:"${analytic}"`);
    const times: number[] = [];
    for (const transition of TRANSITIONS) {
      for (const [index, id] of ids.entries()) {
        const selector = `${ROW}[data-index="${index}"]`;
        await here.page.evaluate(
          (given) => window.benchPaints.arm({ kind: 'changed', selector: given }, 'now'),
          selector,
        );
        const began = await change(there.page, id, transition);
        const { at } = await here.page.evaluate(() => window.benchPaints.result());
        times.push(at - began);
      }
    }
    return times;
  } finally {
    await Promise.all([here.close(), there.close()]);
  }
}

/** Sends a transition from a page. Returns when it was sent, in milliseconds since 1970. */
function change(page: Page, id: string, transition: string): Promise<number> {
  return page.evaluate(
    async ({ path, body }) => {
      const began = performance.timeOrigin + performance.now();
      const answer = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      if (!answer.ok) throw new Error(await answer.text());
      return began;
    },
    { path: `/services/alerts/api/v1/hit/${id}/transition`, body: JSON.stringify({ transition, data: {} }) },
  );
}

async function measureBulk({ browser, visitor, send, say }: TogetherOptions, run: number): Promise<number> {
  say(`${BULK} alerts assessed as one`);
  const analytic = `Bench bulk ${run}`;
  await create(send, analytic, BULK);
  const { page, close } = await openPage(browser, visitor);
  try {
    await openList(page, `howler.analytic:"${analytic}"`);
    await page.keyboard.press('Control+a');
    await page.getByText(`${BULK} selected`).waitFor();
    await page.keyboard.press('a');
    await page.getByRole('dialog', { name: /^Assess / }).waitFor();
    await page.keyboard.press('r');
    const started = performance.now();
    await page.keyboard.press('Enter');
    const progress = page.getByText(new RegExp(`^\\d+ of ${BULK}$`)).first();
    await progress.waitFor();
    await progress.waitFor({ state: 'detached' });
    const took = performance.now() - started;
    const query = `howler.analytic:"${analytic}" AND howler.assessment:recon`;
    await until('all alerts are assessed', async () => (await countOf(send, query)) === BULK);
    return took;
  } finally {
    await close();
  }
}

async function countOf(send: Send, query: string): Promise<number> {
  const { body } = await send('POST', '/api/v1/search/count/hit', JSON.stringify({ query }));
  return (JSON.parse(body) as { api_response: { count: number } }).api_response.count;
}

/** Stores alerts of an analytic, found at once. Returns their ids as the list sorts them. */
async function create(send: Send, analytic: string, count: number): Promise<string[]> {
  const now = Date.now();
  const alerts = Array.from({ length: count }, (_, number) => {
    const alert = benchAlert(number, now);
    const created = new Date(now - number * 60_000).toISOString();
    const howler = { ...(alert.howler as object), analytic, status: 'open', escalation: 'hit' };
    return { ...alert, howler, event: { ...(alert.event as object), created } };
  });
  const { body } = await send('POST', '/api/v1/hit/?refresh=true', JSON.stringify(alerts));
  const { api_response } = JSON.parse(body) as { api_response: { valid: readonly { howler: { id: string } }[] } };
  return api_response.valid.map(({ howler }) => howler.id);
}
