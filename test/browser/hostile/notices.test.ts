import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';
import { programFixture, signIn, skip } from '../browser.ts';
import { PLAIN } from './strings.ts';
import {
  assertHarmless,
  assertOnlyWords,
  type HostileContext,
  openHostileContext,
  seenStrings,
  settled,
  showAll,
} from './watch.ts';

const ADMIN = 'admin:devkey:admin';
const LOOKED_UP = '203.0.113.77';
const NAME = '<img src=x onerror=alert(1)>{{constructor}}[x](javascript:alert(1))<svg/onload=alert(1)>';
/** A user name, which has no blanks and colons. */
const COLLEAGUE = '<script>alert(1)';
const PASSWORD = 'correct horse battery';
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGMQUDAAAACkAGE0Zn1yAAAAAElFTkSuQmCC';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><image href="https://evil.example/x"/></svg>';
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Joins the plain strings into parts of so many characters. */
function parts(limit: number): string[] {
  const found: string[] = [];
  for (const string of PLAIN) {
    const last = found.at(-1);
    if (last === undefined || last.length + string.length > limit) found.push(string);
    else found[found.length - 1] = `${last}\n${string}`;
  }
  return found;
}

describe('hostile strings in what only some steps show', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'triad-hostile-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const list = join(folder, 'list.ndjson');
  const lines = parts(1_000).map((summary) => JSON.stringify({ value: LOOKED_UP, summary, author: summary }));
  writeFileSync(list, lines.join('\n'));
  const fixture = programFixture({
    settings: { data_folder: folder, 'enrichment.lists': [{ name: 'hostile', path: list, format: 'ndjson' }] },
  });

  async function send(path: string, json: unknown, { method = 'POST', basic = ADMIN } = {}) {
    const { status, text, json: answer } = await fixture.program.request(path, { method, basic, json });
    assert.ok(status < 300, `${path}: ${text.slice(0, 300)}`);
    return answer?.api_response;
  }

  async function savePicture(body: string): Promise<void> {
    const options = { method: 'POST', basic: ADMIN, body };
    const { status, text } = await fixture.program.request('/api/v1/user/avatar/admin', options);
    assert.ok(status < 300, text);
  }

  async function createAlert(fields: object): Promise<string> {
    const { valid } = await send('/api/v1/hit?refresh=true', [fields]);
    return valid[0].howler.id;
  }

  async function open(path: string): Promise<HostileContext> {
    const watched = await openHostileContext(fixture);
    await signIn(watched.page, path);
    return watched;
  }

  /** Waits until an element shows each of so many plain strings. */
  async function assertSeen(place: Locator, least: number, strings: readonly string[] = PLAIN): Promise<void> {
    await until(`${least} strings are seen`, async () => {
      await showAll(place.page());
      const text = (await place.allTextContents()).join('\n');
      return strings.filter((string) => text.includes(string)).length >= least;
    });
  }

  it('are words in notices, in the dialogues before them, and in an undo', async () => {
    const account = { name: NAME, new_pass: PASSWORD, email: 'colleague@triad.example' };
    await send(`/api/v1/user/${encodeURIComponent(COLLEAGUE)}`, account);
    const id = await createAlert({ 'howler.analytic': 'Noted', 'howler.outline.summary': 'An alert' });
    await send('/api/v1/action', {
      ...{ name: NAME, query: 'howler.analytic:Noted', triggers: [] },
      operations: [{ operation_id: 'add_label', data_json: JSON.stringify({ category: 'generic', label: NAME }) }],
    });
    await send('/api/v2/case/?refresh=true', { title: NAME, summary: NAME });
    await using watched = await open('/alerts?q=howler.analytic:Noted');
    const { page } = watched;
    const notices = page.getByRole('region', { name: 'Notifications' });
    await page.getByRole('row', { name: /An alert/ }).waitFor();
    await page.keyboard.press('j');

    await page.keyboard.press('r');
    await page.getByRole('radio', { name: NAME }).check();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await notices.getByText(`Action “${NAME}” ran on 1 alert.`).waitFor();
    await assertOnlyWords(page, 'an action ran');
    await page.keyboard.press('u');
    await notices.getByText('Undone.').waitFor();

    await page.keyboard.press('m');
    const filing = page.getByRole('dialog', { name: /^File / });
    await filing.getByRole('combobox').fill('img');
    await page.getByRole('option', { name: NAME }).first().click();
    await filing.getByRole('button', { name: 'File', exact: true }).click();
    await notices.getByText('Filed into the case.').waitFor();
    await assertOnlyWords(page, 'filed into a case');

    await page.keyboard.press('p');
    await notices.getByText('Promoted.').waitFor();
    await send(
      `/api/v1/hit/${id}/transition`,
      { transition: 'assign_to_me', data: {} },
      { basic: `${COLLEAGUE}:${PASSWORD}` },
    );
    await page.keyboard.press('u');
    await notices.getByText(`Not undone: ${COLLEAGUE} changed the alert since.`).waitFor();
    await assertOnlyWords(page, 'not undone');

    await page.getByRole('button', { name: 'Save as a view' }).click();
    await page.getByRole('textbox', { name: 'Name of the view' }).fill(NAME);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await notices.getByText(NAME).waitFor();
    await assertOnlyWords(page, 'saved a view');
    assertHarmless(watched);
  });

  it('are words in a bundle, its alerts and its name', async () => {
    const names = parts(180);
    const children = [];
    for (const name of names) {
      children.push({ 'howler.analytic': name.replaceAll('\n', ' '), 'howler.outline.summary': name });
    }
    const { valid } = await send('/api/v1/hit?refresh=true', children);
    const hits = valid.map(({ howler }: { howler: { id: string } }) => howler.id);
    const bundle = { 'howler.analytic': NAME, 'howler.detection': NAME, 'howler.outline.summary': NAME };
    const made = await send('/api/v1/hit/bundle?refresh=true', { bundle, hits });
    await using watched = await open(`/alerts/${made.howler.id}?tab=cases`);
    const { page } = watched;
    const panel = page.getByRole('tabpanel', { name: 'Cases' });
    await panel.getByText(`${NAME} - ${NAME}`).waitFor();
    await panel.getByText('Bundle').first().waitFor();
    await assertOnlyWords(page, 'the alert of a bundle');
    await page.goto(`/cases/${made._case_id}?tab=items`);
    await page.getByRole('treeitem').nth(1).waitFor();
    await settled(page);
    const seen = new Set(await seenStrings(page));
    await page.getByRole('treeitem').first().click();
    await until('the names of all alerts are seen', async () => {
      await page.keyboard.press('ArrowDown');
      for (const string of await seenStrings(page)) seen.add(string);
      return seen.size === PLAIN.length;
    });
    await assertOnlyWords(page, 'the case of a bundle');
    assertHarmless(watched);
  });

  it('are no pictures of accounts', async () => {
    const pictures = [
      `data:image/svg+xml,${SVG}`,
      `data:image/svg+xml;base64,${base64(SVG)}`,
      `data:image/png;base64,${base64(SVG)}`,
      `data:image/png,${SVG}`,
      `data:text/html,<script>alert(1)</script>`,
      `data:image/png;base64,AAAA" onerror="alert(1)`,
      'javascript:alert(1)',
      'https://evil.example/a.png',
      '//evil.example/a.png',
      '/\\evil.example/a.png',
      'blob:https://evil.example/a',
      '/services/alerts/api/v1/auth/logout',
      '/session',
      SVG,
    ];
    await using watched = await open('/settings');
    const { page } = watched;
    const shown = page.getByRole('main').locator('img');
    for (const picture of pictures) {
      await savePicture(picture);
      const answer = page.waitForResponse((response) => response.url().includes('/user/whoami'));
      await page.reload();
      assert.equal((await (await answer).json()).api_response.avatar, picture);
      await page.getByText('Picture').first().waitFor();
      await settled(page);
      assert.equal(await shown.count(), 0, picture);
      await assertOnlyWords(page, picture);
    }
    await savePicture(PIXEL);
    await page.reload();
    await shown.waitFor();
    assert.equal(await shown.getAttribute('src'), PIXEL);
    assertHarmless(watched);
  });

  it('are words in the annotations of a value, and in the leads of dossiers', async () => {
    const label = (text: string) => ({ en: text, fr: text });
    const leads = parts(1_500).flatMap((content, index) => [
      { label: label(PLAIN[index] ?? ''), format: 'plugin', content },
      { label: label(NAME), format: 'markdown', content },
    ]);
    const dossier = { title: NAME, query: 'howler.analytic:Annotated', type: 'global', leads };
    await send('/api/v1/dossier/?refresh=true', dossier);
    const id = await createAlert({ 'howler.analytic': 'Annotated', 'source.ip': LOOKED_UP });
    await using watched = await open(`/alerts/${id}?tab=related`);
    const { page } = watched;
    const panel = page.getByRole('tabpanel', { name: 'Related' });
    const more = panel.getByRole('button', { name: /^More \(/ });
    await panel.getByText(NAME).first().waitFor();
    while ((await more.count()) > 0) {
      await more.click();
      await settled(page);
    }
    await assertSeen(panel, PLAIN.length);
    await assertOnlyWords(page, 'leads');

    await page.getByRole('tab', { name: 'Fields' }).click();
    await page
      .getByRole('button', { name: /203\.0\.113\.77/ })
      .first()
      .focus();
    await page.keyboard.press('i');
    const dialog = page.getByRole('dialog', { name: 'Known about this value' });
    await dialog.getByText('hostile', { exact: true }).first().waitFor();
    // A list says ten things about a value.
    await assertSeen(dialog, 150);
    await assertOnlyWords(page, 'annotations');
    assertHarmless(watched);
  });
});
