import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../src/testing/until.ts';
import { ADMIN, sendJson } from './alert-data.ts';
import { programFixture, signIn, skip, type WatchedContext } from './browser.ts';
import {
  ABOVE,
  type ClassifiedRecords,
  OPEN,
  SECRET,
  SECRET_ADDRESS,
  saveClassifiedRecords,
} from './hostile/classified.ts';
import { settled, visit } from './hostile/watch.ts';
import { keptByPage, stringsInMemory } from './pages/page-memory.ts';
import { countRequests } from './pages/pending-requests.ts';

const PASSWORD = 'correct-horse-battery';

/** Everything that a browser was sent and that a page showed. */
interface Observed {
  /** Address of an answer or a page, or the name of something else, for each place with the secret. */
  readonly places: Set<string>;
  /** The number of alerts that the list names. */
  alerts: number;
  /** The number of open alerts that the home page names. */
  open: number;
  /** Frames of the socket. */
  readonly frames: string[];
}

interface Observation extends WatchedContext {
  readonly observed: Observed;
}

/** The users are no administrators: those may read every record by its identifier. */
describe('500 records above a user', { skip }, () => {
  const fixture = programFixture({ demo: 'all' });
  let records: ClassifiedRecords;
  /** Open alerts that the user below the records is told of. */
  let openBelow = 0;
  before(async () => {
    assert.equal(ABOVE.alerts + ABOVE.cases + ABOVE.submissions, 500);
    for (const [name, classification] of [
      ['low', 'UNRESTRICTED'],
      ['high', 'RESTRICTED//ADMIN'],
    ]) {
      const { status, text } = await fixture.program.request(`/api/v1/user/${name}`, {
        ...{ method: 'POST', basic: ADMIN },
        json: { name, new_pass: PASSWORD, classification, email: `${name}@triad.example`, type: ['user'] },
      });
      assert.equal(status, 200, text);
    }
    records = await saveClassifiedRecords(fixture.program);
  });

  /** Signs in, and notes where the secret is: in answers, in frames of the socket, on pages. */
  async function observe(user: 'low' | 'high'): Promise<Observation> {
    const watched = await fixture.open();
    const { page, context } = watched;
    const observed: Observed = { places: new Set(), alerts: 0, open: 0, frames: [] };
    countRequests(context);
    context.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (!pathname.startsWith('/services/')) return;
      void response.text().then(
        (text) => text.includes(SECRET) && observed.places.add(`answer ${pathname.split('/').slice(0, 7).join('/')}`),
        () => undefined,
      );
    });
    const devTools = await context.newCDPSession(page);
    await devTools.send('Network.enable');
    devTools.on('Network.webSocketFrameReceived', ({ response }) => observed.frames.push(response.payloadData));
    await signIn(page, '/api-reference', { user, password: PASSWORD });
    return { ...watched, observed, [Symbol.asyncDispose]: () => watched[Symbol.asyncDispose]() };
  }

  async function look({ page, observed }: Observation, address: string): Promise<void> {
    await visit(page, address);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    const tabs = await page.getByRole('tab').count();
    for (let index = 0; index < Math.max(tabs, 1); index += 1) {
      if (index > 0) await page.getByRole('tab').nth(index).click();
      await settled(page);
      if ((await page.content()).includes(SECRET)) observed.places.add(`page ${address}`);
    }
  }

  /** Walks through every page of the rail, and the controls that count, complete and export. */
  async function walk(observation: Observation): Promise<void> {
    const { page, observed } = observation;
    const links = await page.getByRole('navigation').first().getByRole('link').all();
    const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
    assert.ok(addresses.length > 10, addresses.join(' '));
    for (const address of addresses) if (address !== null) await look(observation, address);
    await visit(page, '/');
    const worst = page.getByRole('region', { name: 'Most severe, open' });
    const total = await worst.getByText(/^[\d,]+ alerts?$/).textContent();
    observed.open = Number.parseInt((total ?? '').replaceAll(',', ''), 10);
    await look(observation, '/cases?layout=board');
    await look(observation, `/cases/${records.openCase}`);
    await visit(page, '/alerts?q=howler.analytic%3AClassified');
    await page.getByRole('row').nth(1).waitFor();
    observed.alerts = Number(/\d+/.exec((await page.getByRole('status').allTextContents()).join(' '))?.[0]);
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('howler.labels.generic:');
    await page
      .getByRole('option', { name: new RegExp(`${OPEN}|${SECRET}`) })
      .first()
      .waitFor();
    if ((await page.getByRole('option').allTextContents()).join().includes(SECRET)) observed.places.add('completions');
    await page.keyboard.press('Escape');
    for (const format of ['CSV', 'NDJSON']) {
      await page.getByRole('button', { name: 'Export' }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: new RegExp(format) }).click();
      const text = await readFile(await (await download).path(), 'utf8');
      assert.ok(text.includes(OPEN));
      if (text.includes(SECRET)) observed.places.add(`export ${format}`);
    }
    await visit(page, '/enrichment');
    await page.getByRole('textbox').fill(`seen ${SECRET_ADDRESS} and 203.0.113.230`);
    await page.keyboard.press('Control+Enter');
    await page.locator('mark', { hasText: SECRET_ADDRESS }).waitFor();
    await settled(page);
    const known = (await page.content()).includes(`${ABOVE.alerts}`);
    if (known) observed.places.add('annotations');
    await visit(page, '/alerts?q=howler.analytic%3AClassified');
    await page.getByRole('row').nth(1).waitFor();
    await settled(page);
  }

  /** Changes records of both kinds while a page listens. Returns the frames after the last change. */
  async function changeRecords({ observed }: Observation): Promise<readonly string[]> {
    const { program } = fixture;
    const put = { method: 'PUT' };
    await sendJson(
      program,
      `/api/v1/hit/${records.alert}/update`,
      [['SET', 'howler.score', observed.frames.length]],
      put,
    );
    await sendJson(program, `/api/v2/case/${records.case}`, { summary: `${SECRET}live` }, put);
    const last = `${OPEN}live${observed.frames.length}`;
    await sendJson(program, `/api/v2/case/${records.openCase}`, { summary: last }, put);
    await until('the last event came', () => observed.frames.some((frame) => frame.includes(last)));
    return observed.frames;
  }

  const inMemory = (page: Page) => stringsInMemory(page, [SECRET, OPEN]);

  it('are nowhere for that user', async () => {
    await using observation = await observe('low');
    const { page, observed } = observation;
    await walk(observation);
    const frames = await changeRecords(observation);
    const told = frames.filter((frame) => [SECRET, records.alert, records.case].some((word) => frame.includes(word)));
    assert.deepEqual(told, []);
    assert.deepEqual(await inMemory(page), [OPEN]);
    assert.ok(!(await keptByPage(page)).includes(SECRET));
    assert.equal(observed.alerts, 20);
    openBelow = observed.open;
    for (const address of [`/alerts/${records.alert}`, `/cases/${records.case}`]) {
      await look(observation, address);
    }
    assert.deepEqual([...observed.places], []);
    await visit(page, `/files/${records.submission}`);
    await page.getByRole('main').getByRole('alert').first().waitFor();
    assert.equal(await page.getByRole('main').getByRole('treeitem').count(), 0);
  });

  it('are there for a cleared user, in each of the places that were searched', async () => {
    await using observation = await observe('high');
    const { page, observed } = observation;
    await walk(observation);
    const frames = await changeRecords(observation);
    for (const id of [SECRET, records.alert, records.case])
      assert.ok(
        frames.some((frame) => frame.includes(id)),
        id,
      );
    assert.deepEqual(await inMemory(page), [SECRET, OPEN]);
    assert.equal(observed.alerts, ABOVE.alerts + 20);
    assert.ok(openBelow > 0);
    assert.equal(observed.open, ABOVE.alerts + openBelow);
    await look(observation, `/files/${records.submission}`);
    const places = [...observed.places];
    for (const expected of [
      ...[
        'page /alerts',
        'page /cases',
        'page /cases?layout=board',
        'answer /services/analysis/api/v4/search/submission',
      ],
      `page /files/${records.submission}`,
      ...['completions', 'export CSV', 'export NDJSON', 'annotations'],
    ]) {
      assert.ok(places.includes(expected), `${expected} is not in ${places.join(', ')}`);
    }
    assert.ok(
      places.some((place) => place.includes('/facet')),
      places.join(', '),
    );
  });
});
