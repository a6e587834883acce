import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page, WebSocketRoute } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';
import { ADMIN, alertsOf, listOf, sendJson, storeAlerts } from '../alert-data.ts';
import { assertNoOffences, programFixture, REFUSED_REQUESTS, skip } from '../browser.ts';

describe('a list of alerts while others work', { skip }, () => {
  const fixture = programFixture();
  const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(`${name}\\b`) });
  const openOf = (analytic: string) =>
    `/alerts?q=${encodeURIComponent(`howler.analytic:"${analytic}" AND howler.status:open`)}`;

  const assess = (id: string) =>
    sendJson(fixture.program, `/api/v1/hit/${id}/transition`, {
      transition: 'assess',
      data: { assessment: 'legitimate' },
    });

  it('counts what is new during triage, and hides no alert that was not read', async () => {
    const ids = await storeAlerts(fixture.program, alertsOf('Triaged', 150));
    await using watched = await fixture.openSignedIn(openOf('Triaged'));
    const { page, offences } = watched;
    await row(page, 'Alert 3').waitFor();
    for (const id of ids.slice(0, 100)) await assess(id);
    await row(page, 'Alert 0').getByText('Legitimate').waitFor();
    await storeAlerts(fixture.program, alertsOf('Triaged', 3));
    await page.getByRole('button', { name: '3 new' }).waitFor();
    // The rows behind the first page are the next ones, though a hundred left the search.
    const grid = page.getByRole('grid', { name: 'Alerts of the search' });
    await grid.focus();
    await page.keyboard.press('End');
    await row(page, 'Alert 149').waitFor();
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('PageUp');
    const seen = async () =>
      (await page.getByRole('row').allTextContents()).map((text) => Number(/Alert (\d+)/.exec(text)?.[1] ?? -1));
    await until('the rows are read', async () => (await seen()).filter((number) => number >= 0).length > 5);
    const numbers = (await seen()).filter((number) => number >= 0);
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => (numbers[0] ?? 0) + index),
      'no row is missing or twice',
    );
    assertNoOffences(offences);
  });

  it('shows labels that colleagues give to many alerts, which no event announces', async () => {
    const [id = ''] = await storeAlerts(fixture.program, alertsOf('Labelled', 3));
    await using watched = await fixture.openSignedIn(listOf('Labelled'));
    const { page, offences } = watched;
    await row(page, 'Alert 0').waitFor();
    await sendJson(
      fixture.program,
      '/api/v1/hit/update',
      { query: `howler.id:"${id}"`, operations: [['APPEND', 'howler.labels.generic', 'seen-by-all']] },
      { method: 'PUT' },
    );
    await row(page, 'Alert 0').getByText('seen-by-all').waitFor();
    assertNoOffences(offences);
  });

  it('reads its rows again after the connection was cut', async () => {
    const [id = '', other = ''] = await storeAlerts(fixture.program, alertsOf('Cut off', 2));
    await using watched = await fixture.openSignedIn('/settings');
    const { page, offences } = watched;
    const sockets: WebSocketRoute[] = [];
    let isCut = false;
    await page.routeWebSocket(/socket\/v1\/connect/, (socket) => {
      if (isCut) return void socket.close();
      sockets.push(socket);
      socket.connectToServer();
    });
    // Without polls, so that nothing but the connection brings the change.
    await page.addInitScript(() => {
      const every = globalThis.setInterval;
      Reflect.set(globalThis, 'setInterval', (run: () => void, pause: number) =>
        every(run, pause === 10_000 ? 1e9 : pause),
      );
    });
    await page.goto(listOf('Cut off'));
    await row(page, 'Alert 0').waitFor();
    // As long as the connection lasts, it brings changes.
    await until('the page listens', async () => {
      await sendJson(fixture.program, `/api/v1/hit/${other}/comments`, { value: 'Heard' });
      return (await page.locator('[role=row][data-state=changed]').count()) > 0;
    });
    isCut = true;
    for (const socket of sockets) await socket.close();
    await assess(id);
    isCut = false;
    await row(page, 'Alert 0').getByText('Legitimate').waitFor();
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('asks for nothing twice after a step of triage', async () => {
    await storeAlerts(fixture.program, alertsOf('Counted', 3));
    await using watched = await fixture.openSignedIn(listOf('Counted'));
    const { page, offences } = watched;
    await row(page, 'Alert 0').waitFor();
    await page.locator('canvas').waitFor();
    await page.keyboard.press('j');
    await page.waitForLoadState('networkidle');
    const asked: string[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname.startsWith('/services/')) asked.push(`${request.method()} ${url.pathname}`);
    });
    await page.keyboard.press('s');
    await row(page, 'Alert 0').getByText('In progress').waitFor();
    await page.waitForTimeout(1_500);
    const steps = asked.filter((request) => !/\/search\//.test(request) || /facet|histogram/.test(request));
    // The step itself, and at most one read of the alert before it. A poll of the list may come in between.
    assert.ok(steps.length <= 2, asked.join('\n'));
    assert.equal(new Set(steps).size, steps.length, asked.join('\n'));
    assert.equal(asked.filter((request) => /facet|histogram/.test(request)).length, 0, asked.join('\n'));
    assertNoOffences(offences);
  });

  it('selects rows that were never in sight by one click with Shift', async () => {
    await storeAlerts(fixture.program, alertsOf('Ranged', 350));
    await using watched = await fixture.openSignedIn(listOf('Ranged'));
    const { page, offences } = watched;
    await row(page, 'Alert 2').click({ modifiers: ['Control'] });
    await page.getByText('1 selected').waitFor();
    await page.getByRole('grid', { name: 'Alerts of the search' }).focus();
    await page.keyboard.press('End');
    await row(page, 'Alert 349').click({ modifiers: ['Shift'] });
    await page.getByText('348 selected').waitFor();
    assertNoOffences(offences);
  });

  it('says that a page of rows could not be read, until it is read', async () => {
    await storeAlerts(fixture.program, alertsOf('Failing', 350));
    await using watched = await fixture.openSignedIn(listOf('Failing'));
    const { page, offences } = watched;
    await row(page, 'Alert 0').waitFor();
    let fails = true;
    await page.route(/\/api\/v2\/search\/hit$/, async (route) => {
      if (!fails || !/"offset":2\d\d|howler\.id:\{/.test(route.request().postData() ?? '')) return route.fallback();
      await route.fulfill({ status: 500, json: { api_error_message: 'Broken on purpose', api_response: '' } });
    });
    await page.getByRole('grid', { name: 'Alerts of the search' }).focus();
    await page.keyboard.press('End');
    await page.getByText('Broken on purpose').waitFor();
    fails = false;
    await page.getByRole('button', { name: /again/i }).click();
    await row(page, 'Alert 349').waitFor();
    await page.getByText('Broken on purpose').waitFor({ state: 'detached' });
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('deletes are seen in rows in sight, far from the first ones', async () => {
    const ids = await storeAlerts(fixture.program, alertsOf('Deleted', 450));
    await using watched = await fixture.openSignedIn(listOf('Deleted'));
    const { page, offences } = watched;
    await row(page, 'Alert 0').waitFor();
    await page.getByRole('grid', { name: 'Alerts of the search' }).focus();
    await page.keyboard.press('End');
    await row(page, 'Alert 449').waitFor();
    await fixture.program.request('/api/v1/hit', { method: 'DELETE', basic: ADMIN, json: [ids[448]] });
    // One came as well: the total stays.
    await storeAlerts(fixture.program, alertsOf('Deleted', 1));
    await page.locator('[role=row][data-state=deleted]').getByText('Alert 448').waitFor();
    await page.getByRole('button', { name: '1 new' }).waitFor();
    assertNoOffences(offences);
  });
});
