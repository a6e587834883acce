import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { sendJson, storeAlerts } from '../alert-data.ts';
import { assertNoOffences, programFixture, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

const COUNT = 60;
const ANALYTIC = 'howler.analytic:Parts';
const LIST = `/alerts?q=${encodeURIComponent(ANALYTIC)}`;

describe('the parts of the list of alerts', { skip }, () => {
  const fixture = programFixture();
  before(async () => {
    await storeAlerts(
      fixture.program,
      Array.from({ length: COUNT }, (_, index) => ({
        'howler.analytic': 'Parts',
        'howler.outline.summary': `Alert ${index}`,
        'event.created': new Date(Date.parse('2026-01-15T03:30:00Z') - index * 3_600_000).toISOString(),
        // Five of each severity but low, which the others have by their escalation.
        'event.severity': index < 5 ? 95 : index < 10 ? 7 : index < 15 ? 50 : 0,
        'event.start': '2026-01-15T03:30:00Z',
        'howler.assignment': `user-${String(index).padStart(2, '0')}`,
        tags: index === 0 ? ['a', '=1+1'] : ['b'],
      })),
    );
  });

  const rowCount = (page: Page, count: number) => page.locator(`[role=grid][aria-rowcount="${count + 1}"]`).waitFor();
  const row = (page: Page, index: number) => page.getByRole('row', { name: new RegExp(`Alert ${index}\\b`) });

  /** Returns the sums of the columns of the table of the histogram, by their heads. */
  async function sums(page: Page): Promise<Record<string, number>> {
    const toggle = page.getByRole('button', { name: 'Table of “Alerts over time”' });
    await toggle.click();
    const table = page.getByRole('table');
    await table.waitFor();
    const found = await table.evaluate((element) => {
      const heads = [...element.querySelectorAll('thead th')].map((head) => head.textContent ?? '').slice(1);
      const rows = [...element.querySelectorAll('tbody tr')];
      const sum = (at: number) =>
        rows.reduce((total, one) => total + Number(one.querySelectorAll('td')[at]?.textContent ?? 0), 0);
      return heads.map((head, at) => [head, sum(at)] as const);
    });
    await toggle.click();
    return Object.fromEntries(found);
  }

  it('chart: severities are those of the rows, named by their shapes, and another split is chosen beside them', async () => {
    await using watched = await fixture.openSignedIn(LIST);
    const { page, offences } = watched;
    await rowCount(page, COUNT);
    const figure = page.getByRole('figure', { name: 'Alerts over time' });
    await figure.getByText('Critical').waitFor();
    assert.deepEqual(await sums(page), { Critical: 5, High: 5, Medium: 5, Low: 45, 'No severity': 0 });
    assert.deepEqual(await accessibilityProblems(page), []);
    await figure.getByRole('button', { name: /Split by severity/ }).click();
    await page.getByRole('menuitemcheckbox', { name: 'status' }).click();
    await page.waitForURL(/by=status/);
    await figure.getByText('In progress').waitFor();
    assert.deepEqual(await sums(page), { Open: COUNT, 'In progress': 0, 'On hold': 0, Resolved: 0 });
    assertNoOffences(offences);
  });

  it('chart: one alert of a far year is no reason to show none, and a failure is said', async () => {
    const far = { 'howler.analytic': 'Far', 'howler.outline.summary': 'Far' };
    await storeAlerts(fixture.program, [
      { ...far, 'event.created': '9999-12-31T23:59:59Z' },
      { ...far, 'event.created': '2026-01-01T00:00:00Z' },
    ]);
    await using watched = await fixture.openSignedIn('/alerts?q=howler.analytic:Far');
    const { page, offences } = watched;
    await rowCount(page, 2);
    await page.locator('canvas').waitFor();
    await page.route(/\/search\/histogram\//, (route) =>
      route.fulfill({ status: 500, json: { api_error_message: 'No chart today', api_response: '' } }),
    );
    await page.goto(LIST);
    await rowCount(page, COUNT);
    await page.getByText('No chart today').waitFor();
    assertNoOffences(offences, /Failed to load resource/);
  });

  it('values: a search finds those beyond the first fifty', async () => {
    await using watched = await fixture.openSignedIn(LIST);
    const { page, offences } = watched;
    await rowCount(page, COUNT);
    const values = page.getByRole('complementary', { name: 'Values' });
    await values.getByText('Assignee').waitFor();
    for (const name of ['user-03', 'USER-57']) {
      await values.getByRole('textbox').fill(name);
      await values.getByTitle(`Only ${name.toLowerCase()}`).waitFor();
    }
    await values.getByTitle('Only user-57').click();
    await rowCount(page, 1);
    assertNoOffences(offences);
  });

  it('values: a narrow window, and one beside an open alert, has them in a dialog', async () => {
    await using watched = await fixture.openSignedIn(LIST, { width: 1280, height: 720 });
    const { page, offences } = watched;
    await rowCount(page, COUNT);
    assert.equal(await page.getByRole('button', { name: 'Values', exact: true }).count(), 0);
    await row(page, 1).click();
    const opener = page.getByRole('button', { name: 'Values', exact: true });
    await opener.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Values' });
    await dialog.getByRole('textbox').fill('user-03');
    await dialog.getByTitle('Only user-03').waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await dialog.getByTitle('Only user-03').press('Enter');
    await rowCount(page, 1);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await opener.evaluate((button) => button === document.activeElement), true);
    assertNoOffences(offences);
  });

  it('rows are seen on a page at 400 %', async () => {
    await using watched = await fixture.openSignedIn(LIST, { width: 320, height: 256 });
    const { page, offences } = watched;
    await rowCount(page, COUNT);
    const first = page.locator('[role=row][data-index="0"]');
    await first.scrollIntoViewIfNeeded();
    const box = await first.boundingBox();
    assert.ok(box !== null && box.y >= 0 && box.y + box.height <= 256, JSON.stringify(box));
    assert.equal(await page.locator('canvas:visible').count(), 0, 'rows come before the chart');
    assertNoOffences(offences);
  });

  it('columns: status and assignee are in sight beside an open alert, and heads are whole', async () => {
    await using watched = await fixture.openSignedIn(LIST, { width: 1280, height: 720 });
    const { page, offences } = watched;
    await rowCount(page, COUNT);
    await page.getByRole('columnheader', { name: 'Sev' }).getByRole('button').first().click();
    await page.waitForURL(/sort=event.severity/);
    await row(page, 1).click();
    await page.getByRole('region', { name: 'Alert', exact: true }).waitFor();
    const grid = page.getByRole('grid', { name: 'Alerts of the search' });
    const right = await grid.evaluate((element) => element.getBoundingClientRect().right);
    for (const name of ['Status', 'Assignee']) {
      const box = await page.getByRole('columnheader', { name }).boundingBox();
      assert.ok(box !== null && box.x + box.width <= right + 1, `${name} ${JSON.stringify(box)} in ${right}`);
    }
    const cut = await page.getByRole('columnheader').evaluateAll((heads) =>
      heads
        .flatMap((head) => [...head.querySelectorAll('*')])
        .filter((part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflow !== 'visible')
        .map((part) => part.textContent),
    );
    assert.deepEqual(cut, []);
    assertNoOffences(offences);
  });

  it('columns of dates are in the zone of the reader', async () => {
    await using watched = await fixture.openSignedIn(LIST);
    const { page, offences } = watched;
    await rowCount(page, COUNT);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitem', { name: 'Add a field as a column' }).click();
    await page.getByRole('dialog').getByRole('combobox').first().fill('event.start');
    await page
      .getByRole('option', { name: /^event\.start\b/ })
      .first()
      .click();
    await page.locator('[role=row][data-index="0"] time').nth(1).waitFor();
    assertNoOffences(offences);
  });

  it('values of an open alert are filtered in and out, and become columns', async () => {
    await using watched = await fixture.openSignedIn(LIST, { width: 1600, height: 900 });
    const { page, offences } = watched;
    await rowCount(page, COUNT);
    await row(page, 0).click();
    const alert = page.getByRole('region', { name: 'Alert', exact: true });
    await alert.getByRole('tab', { name: 'Fields' }).click();
    const menuOf = async (value: string, item: string) => {
      await alert.getByRole('textbox', { name: /Search fields/ }).fill(value);
      await alert
        .getByRole('button', { name: new RegExp(value) })
        .last()
        .click();
      await page.getByRole('menuitem', { name: item, exact: true }).click();
    };
    await menuOf('user-00', 'Only alerts with it');
    await rowCount(page, 1);
    await page.getByRole('button', { name: /howler\.assignment is user-00/ }).press('Delete');
    await rowCount(page, COUNT);
    await menuOf('user-00', 'Only alerts without it');
    await rowCount(page, COUNT - 1);
    await menuOf('user-00', 'Show the field as a column');
    await page.getByRole('columnheader', { name: 'howler.assignment' }).waitFor();
    assertNoOffences(offences);
  });

  it('export: lists are words, columns stand there once, and a running one is cancelled', async () => {
    await using watched = await fixture.openSignedIn(`${LIST}&sort=event.created+desc`);
    const { page, offences } = watched;
    await rowCount(page, COUNT);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitem', { name: 'Add a field as a column' }).click();
    await page.getByRole('dialog').getByRole('combobox').first().fill('tags');
    await page
      .getByRole('option', { name: /^tags\b/ })
      .first()
      .click();
    await page.getByRole('columnheader', { name: 'tags' }).waitFor();
    const start = async (format: string) => {
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      await page.getByRole('menuitem', { name: new RegExp(format) }).click();
    };
    const download = page.waitForEvent('download');
    await start('CSV');
    const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n');
    const heads = lines[0]?.split(',') ?? [];
    assert.equal(new Set(heads).size, heads.length);
    assert.equal(lines.length, COUNT + 1);
    assert.ok(lines[1]?.includes(`"a; '=1+1"`), lines[1]);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/api\/v2\/search\/hit$/, async (route) => {
      if (/deep_paging_id/.test(route.request().postData() ?? '')) await held;
      await route.fallback().catch(() => {});
    });
    await start('NDJSON');
    await page.getByRole('button', { name: /Cancel the export/ }).click();
    await page.getByText('The export was cancelled.').waitFor();
    release();
    await page.getByRole('button', { name: 'Export', exact: true }).waitFor();
    assertNoOffences(offences, /Failed to load resource/);
  });

  it('a view keeps its order and columns while its search changes, and has events where it says so', async () => {
    const event = { howler: { outline: { summary: 'An event' } }, event: { created: '2026-01-15T03:40:00Z' } };
    await sendJson(fixture.program, '/api/v2/ingest/event?refresh=true', [
      { ...event, message: 'Seen by a sensor', tags: ['Parts'] },
    ]);
    const view = await sendJson(fixture.program, '/api/v1/view/', {
      title: 'With events',
      type: 'global',
      query: `${ANALYTIC} OR tags:Parts`,
      sort: 'event.created asc',
      indexes: ['hit', 'event'],
      settings: {
        advance_on_triage: false,
        columns: [{ field: 'event.created' }, { field: 'howler.outline.summary' }],
      },
    });
    await using watched = await fixture.openSignedIn(`/alerts?view=${view.view_id}`, { width: 1600, height: 900 });
    const { page, offences } = watched;
    await rowCount(page, COUNT + 1);
    await page.getByText('View: With events').waitFor();
    assert.equal(await page.getByRole('columnheader', { name: 'Status' }).count(), 0);
    const grid = page.getByRole('grid', { name: 'Alerts of the search' });
    await grid.focus();
    await page.keyboard.press('End');
    await page.getByRole('row', { name: /An event/ }).click();
    const pane = page.getByRole('region', { name: 'Event' });
    await pane.getByText('Seen by a sensor').waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.keyboard.press('x');
    assert.equal(await page.getByText('1 selected').count(), 0, 'an event has no triage');
    await page.keyboard.press('Escape');
    await pane.waitFor({ state: 'detached' });
    // A filter keeps the view, its order and its columns.
    await page.getByRole('complementary', { name: 'Values' }).getByTitle('Only user-03').click();
    await rowCount(page, 1);
    assert.match(page.url(), new RegExp(`view=${view.view_id}`));
    assert.equal(await page.getByRole('columnheader', { name: 'Status' }).count(), 0);
    await page.getByRole('button', { name: /Leave the view With events/ }).click();
    await page.getByRole('columnheader', { name: 'Status' }).waitFor();
    await page.getByText('View: With events').waitFor({ state: 'detached' });
    assertNoOffences(offences);
  });
});
