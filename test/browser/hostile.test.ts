import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { until } from '../../src/testing/until.ts';
import { ALERT_TABS } from '../../ui/src/features/alerts/alert/alert-tabs.ts';
import { ANALYTIC_TABS } from '../../ui/src/features/analytics/analytic-tabs.ts';
import { CASE_TABS } from '../../ui/src/features/cases/detail/case-tabs.ts';
import { programFixture, signIn, skip } from './browser.ts';
import { ANNOTATED, type HostileRecords, saveHostileRecords } from './hostile/records.ts';
import { FORMULAS, HOSTILE_STRINGS, PLAIN } from './hostile/strings.ts';
import {
  assertHarmless,
  assertOnlyWords,
  type HostileContext,
  openHostileContext,
  scrollThrough,
  seenStrings,
  settled,
  showAll,
  visit,
} from './hostile/watch.ts';
import { keptByPage, stringsInMemory } from './pages/page-memory.ts';

/** Pages that tests of their own walk through. */
const WALKED = /^\/(?:alerts|cases|files|enrichment|analytics|views|templates|overviews|dossiers|actions)$/;
const REPORT_TABS = 4;

describe('hostile strings', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'triad-hostile-'));
  let records: HostileRecords;
  const fixture = programFixture(() => {
    assert.ok(HOSTILE_STRINGS.length >= 500);
    const lines = HOSTILE_STRINGS.map((summary) => ({
      value: ANNOTATED,
      summary,
      author: summary,
      tags: [summary],
      link: summary,
    }));
    const path = join(folder, 'list.ndjson');
    writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'));
    return {
      demo: 'all',
      auditBySettings: true,
      settings: {
        data_folder: folder,
        'ui.audit': true,
        'audit.to': 'file',
        'audit.file': join(folder, 'audit.log'),
        'enrichment.lists': [{ name: 'hostile', path, format: 'ndjson' }],
      },
    };
  });
  before(async () => {
    records = await saveHostileRecords(fixture.program);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function open(): Promise<HostileContext> {
    const watched = await openHostileContext(fixture);
    const { page } = watched;
    await signIn(page, '/api-reference');
    return watched;
  }

  /**
   * Opens an address, and each of so many tabs (default: as many as its page has), and fails unless at
   * least so many plain strings are seen.
   */
  async function walk(
    { page }: HostileContext,
    address: string,
    { tabs, least = 0 }: { readonly tabs?: number; readonly least?: number } = {},
  ): Promise<void> {
    const seen = new Set<string>();
    const look = async () => {
      for (const string of await seenStrings(page)) seen.add(string);
      return seen.size;
    };
    await visit(page, address);
    if (tabs === undefined) await page.getByRole('heading', { level: 1 }).waitFor();
    const count = tabs ?? (await page.getByRole('tab').count());
    const walkTabs = async () => {
      for (let index = 0; index < Math.max(count, 1); index += 1) {
        const state = `${address}, tab ${index}`;
        if (count > 0) {
          await page.getByRole('tab').nth(index).click();
          await settled(page);
        }
        await showAll(page);
        await assertOnlyWords(page, state);
        await look();
        await scrollThrough(page, state);
        await look();
      }
    };
    await walkTabs();
    await until(`${address} shows ${least} strings`, async () => {
      if ((await look()) >= least) return true;
      // Something came after its tab was left, or after the page was scrolled.
      await walkTabs();
      return seen.size >= least;
    });
    await assertOnlyWords(page, address);
    assert.equal(await page.getByText('This page could not be shown').count(), 0, address);
  }

  it('are noticed by this test where a page takes them for markup', async () => {
    await using watched = await openHostileContext(fixture);
    const { page, scripts, offences } = watched;
    await page.goto('about:blank');
    await page.setContent('<p><img src="https://evil.example/x" onerror="alert(1)"></p><iframe></iframe>');
    await page.waitForFunction(() => document.images[0]?.complete);
    await assert.rejects(assertOnlyWords(page, 'a page without any defence'));
    await page.waitForTimeout(100);
    assert.ok(scripts.ran.length > 0 && scripts.loaded.length > 0 && offences.foreign.length > 0);
  });

  it('are words in alerts', async () => {
    await using watched = await open();
    await walk(watched, `/alerts/${records.alert}`, { tabs: ALERT_TABS.length, least: PLAIN.length });
    await walk(watched, '/alerts', { tabs: 0, least: 150 });
    assertHarmless(watched);
  });

  it('are words in cases', async () => {
    await using watched = await open();
    await walk(watched, '/cases', { tabs: 0, least: 150 });
    await walk(watched, '/cases?layout=board', { tabs: 0 });
    await walk(watched, `/cases/${records.case}`, { tabs: CASE_TABS.length, least: PLAIN.length });
    assertHarmless(watched);
  });

  it('are words in what people save', async () => {
    await using watched = await open();
    const { analytic, ...ids } = records;
    await walk(watched, '/analytics', { tabs: 0, least: PLAIN.length });
    await walk(watched, `/analytics/${analytic}`, { tabs: ANALYTIC_TABS.length, least: PLAIN.length });
    for (const kind of ['view', 'template', 'overview', 'dossier', 'action'] as const) {
      await walk(watched, `/${kind}s`, { tabs: 0, least: PLAIN.length });
      await walk(watched, `/${kind}s?id=${encodeURIComponent(ids[kind])}`, { tabs: 0, least: 6 });
    }
    assertHarmless(watched);
  });

  it('are words in files and annotations', async () => {
    await using watched = await open();
    const { page } = watched;
    await walk(watched, '/files', { tabs: 0 });
    await walk(watched, `/files/${records.submission}`, { tabs: REPORT_TABS, least: 20 });
    const sections = page.getByRole('treeitem');
    await visit(page, `/files/${records.submission}`);
    await sections.nth(1).click();
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    }
    await assertOnlyWords(page, 'sections');
    await visit(page, '/enrichment');
    await page.getByRole('textbox').fill(`${ANNOTATED}\n${HOSTILE_STRINGS.slice(-400).join('\n')}`);
    await page.keyboard.press('Control+Enter');
    await page.locator('mark', { hasText: ANNOTATED }).waitFor();
    await page.getByRole('row').nth(1).waitFor();
    await settled(page);
    await assertOnlyWords(page, 'the look-up');
    await scrollThrough(page, 'the look-up');
    assertHarmless(watched);
  });

  it('are words on every page of the rail, and in names of users and lines of the audit log', async () => {
    await using watched = await open();
    const { page } = watched;
    for (const name of [records.user, '<img src=x onerror=alert(1)>', '{{constructor}}']) {
      await fixture.program.request('/session', {
        ...{ service: 'web', method: 'POST', json: { method: 'password', user: name, password: 'wrong' } },
        headers: { 'sec-fetch-site': 'same-origin' },
      });
    }
    const links = await page.getByRole('navigation').first().getByRole('link').all();
    const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
    assert.ok(addresses.includes('/administration') && addresses.includes('/settings'));
    for (const address of addresses) {
      if (address === null || WALKED.test(address)) continue;
      await walk(watched, address);
    }
    await walk(watched, `/administration/users?id=${encodeURIComponent(records.user)}`, { tabs: 0 });
    assertHarmless(watched);
  });

  it('are words where an address has them', async () => {
    await using watched = await open();
    const { page } = watched;
    for (const string of [
      '"><img src=x onerror=alert(1)>{{constructor}}',
      'javascript:alert(1)//\u202e%0a<svg onload=alert(1)>',
    ]) {
      const hostile = encodeURIComponent(string);
      for (const address of [
        ...[`/${hostile}`, `/alerts/${hostile}?tab=${hostile}`, `/alerts?q=${hostile}&sort=${hostile}&view=${hostile}`],
        ...[`/cases/${hostile}?tab=${hostile}`, `/analytics/${hostile}`, `/views?id=${hostile}&q=${hostile}`],
        ...[`/files/${hostile}?item=${hostile}`, `/files?q=${hostile}`, `/administration/users?id=${hostile}`],
        ...[
          `/api-reference?q=${hostile}&route=${hostile}`,
          `/dossiers?id=${hostile}`,
          `/actions?query=${hostile}&id=new`,
          `/actions?q=${hostile}`,
        ],
      ]) {
        await visit(page, address);
        await assertOnlyWords(page, address);
      }
      await page.goto(`/sign-in/provider/${hostile}?code=${hostile}&state=${hostile}`);
      await settled(page);
      await assertOnlyWords(page, string);
    }
    assertHarmless(watched);
  });

  it('begin no formula in an exported table', async () => {
    await using watched = await open();
    const { page } = watched;
    await visit(page, '/alerts');
    await page.getByRole('row').nth(1).waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: /CSV/ }).click();
    const csv = await readFile(await (await download).path(), 'utf8');
    const cells = [...csv.matchAll(/(?:^|,|\r\n)("(?:[^"]|"")*"|[^,\r\n]*)/g)].map(([, cell = '']) =>
      cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
    );
    // A quote begins no formula; in the file it is doubled.
    // Where a line or a tab begins a cell, too, what follows it is made harmless as well.
    const expected = FORMULAS.map((formula) =>
      formula.startsWith('"') ? formula : `'${formula.replace(/^[\t\r\n]/, "$&'")}`,
    );
    assert.deepEqual(
      expected.filter((formula) => !cells.includes(formula)),
      [],
      'the formulas are there',
    );
    const formulas = cells.filter((cell) => /^[\s\ufeff]*[=+\-@\uff1d\t\r]/.test(cell) && !/^[+-]?[\d.]+$/.test(cell));
    assert.deepEqual(formulas, []);
    assertHarmless(watched);
  });

  it('find no token in storage, address, readable cookies and memory', async () => {
    await using watched = await open();
    const { page, context } = watched;
    for (const address of ['/', '/alerts', '/settings?tab=keys', '/administration/users?id=admin'])
      await visit(page, address);
    const [cookie] = await context.cookies();
    assert.ok(cookie?.httpOnly && cookie.value.length > 30);
    const kept = await keptByPage(page);
    assert.match(kept, /"cookie":""/);
    assert.ok(!kept.includes(cookie.value) && !page.url().includes(cookie.value));
    assert.doesNotMatch(kept, /eyJ[\w-]+\.|devkey|password|secret/i);
    const found = await stringsInMemory(page, [cookie.value, 'hmac-sha256', '$argon2', 'Sign out']);
    assert.deepEqual(found, ['Sign out'], 'the memory was searched, and has words of the page');
  });
});
