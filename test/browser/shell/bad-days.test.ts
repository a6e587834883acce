import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Route } from 'playwright-core';
import { sendJson, storeAlerts } from '../alert-data.ts';
import { programFixture, skip } from '../browser.ts';

const ERROR_ID = '3f2b8c1e-5a6d-4e7f-8a9b-0c1d2e3f4a5b';

describe('on a bad day', { skip }, () => {
  const fixture = programFixture({ demo: 'all' });

  /** Answers the first requests by `answer`, the later ones as the program does. */
  const answering = (count: number, answer: (route: Route) => Promise<void>) => {
    let left = count;
    return (route: Route) => {
      left -= 1;
      return left >= 0 ? answer(route) : route.continue();
    };
  };

  it('a page counts down while the server asks for a pause, and continues by itself', async () => {
    await using watched = await fixture.openSignedIn('/settings');
    const { page } = watched;
    const busy = { status: 503, headers: { 'retry-after': '2' }, json: { api_error_message: 'Busy.' } };
    await page.route(/\/services\//, (route) => route.fulfill(busy));
    await page.getByRole('link', { name: 'Templates' }).first().click();
    const line = page.getByRole('status').filter({ hasText: 'The server is busy.' });
    await line.waitFor();
    await page.unrouteAll();
    await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor();
    await line.waitFor({ state: 'detached' });
  });

  it('a page repeats a read that the network cut', async () => {
    await using watched = await fixture.openSignedIn('/views');
    const { page } = watched;
    await page.getByRole('link', { name: 'Templates' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor();
    await page.route(
      /api\/v1\/analytic\/$/,
      answering(1, (route) => route.abort()),
    );
    await page.getByRole('link', { name: 'Analytics' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Analytics' }).waitFor();
    await page.getByRole('row').nth(1).waitFor();
  });

  it('a pane shows the error id and a retry, and the rest of the page works', async () => {
    await using watched = await fixture.openSignedIn('/settings');
    const { page } = watched;
    const json = { api_error_message: `Something failed. Error ID ${ERROR_ID}` };
    await page.route(
      /api\/v1\/template\/$/,
      answering(1, (route) => route.fulfill({ status: 500, json })),
    );
    await page.getByRole('link', { name: 'Templates' }).first().click();
    await page.getByRole('alert').getByText(ERROR_ID).first().waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Views' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Views' }).waitFor();
  });

  it('a record of the largest size whose overview loops leaves the page answering to keys', async () => {
    const { program } = fixture;
    const loop = '{{#each this}}{{#each ../this}}{{#each ../../this}}x{{/each}}{{/each}}{{/each}}';
    await sendJson(program, '/api/v1/overview/?refresh=true', { analytic: 'Bad day', content: loop });
    const record = {
      ...{ 'howler.analytic': 'Bad day', 'howler.data': Array.from({ length: 4 }, () => 'x'.repeat(1_000_000)) },
      labels: Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`field_${index}`, `value ${index}`])),
    };
    const [id] = await storeAlerts(program, [record]);
    await using watched = await fixture.openSignedIn(`/alerts/${id}`);
    const { page } = watched;
    await page.getByRole('tabpanel', { name: 'Overview' }).waitFor();
    for (const name of ['Fields', 'JSON']) {
      await page.keyboard.press(']');
      await page.getByRole('tabpanel', { name }).waitFor();
      const count = await page.evaluate(() => document.querySelectorAll('*').length);
      assert.ok(count < 15_000, `${name}: ${count} elements`);
    }
  });
});
