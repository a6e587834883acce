import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sendJson, storeAlerts } from '../alert-data.ts';
import { assertNoOffences, builtInterface, earlyFiles, openContext, programFixture, signIn, skip } from '../browser.ts';

describe('what a page loads early', { skip }, () => {
  const fixture = programFixture();
  const ids = new Map<string, string>();
  before(async () => {
    const [alert] = await storeAlerts(fixture.program, [{ 'howler.analytic': 'Early' }]);
    const made = await sendJson(fixture.program, '/api/v2/case/?refresh=true', { title: 'Early', summary: 'Early' });
    ids.set('/alerts/$id', String(alert)).set('/cases/$id', made.case_id);
  });

  it('is named for pages on which people begin', () => {
    assert.deepEqual(Object.keys(earlyFiles(builtInterface()).pages), [
      '/',
      '/alerts',
      '/alerts/$id',
      '/cases',
      '/cases/$id',
    ]);
  });

  for (const [language, pattern] of [
    ['en', '/'],
    ['fr', '/alerts'],
    ['en', '/alerts/$id'],
    ['fr', '/cases'],
    ['en', '/cases/$id'],
  ] as const) {
    it(`is loaded once and used: ${pattern} (${language})`, async () => {
      await using first = await fixture.open({ language });
      await signIn(first.page);
      const cookies = await first.context.cookies();
      // Another context has no file in its cache.
      const baseURL = fixture.program.urls.web;
      await using watched = await openContext(fixture.browser, { baseURL, language });
      const { page, context, offences } = watched;
      await context.addCookies(cookies);
      const unused: string[] = [];
      page.on('console', (message) => /preload/.test(message.text()) && unused.push(message.text()));
      const answer = await page.goto(pattern.replace('$id', ids.get(pattern) ?? ''));
      await page.getByRole('heading', { level: 1 }).waitFor();
      const header = (await answer?.allHeaders())?.link ?? '';
      const linked = [...header.matchAll(/<([^>]+)>/g)].map(([, address]) => address);
      assert.ok(linked.length > 10 && linked.some((address) => address?.includes(`/${language}-`)), header);
      const loaded = await page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .filter((entry) => entry instanceof PerformanceResourceTiming && entry.transferSize > 0)
          .map(({ name }) => new URL(name).pathname),
      );
      for (const address of linked) {
        assert.equal(loaded.filter((name) => name === address).length, 1, `${address} was not loaded once`);
      }
      // Chromium says some seconds after the load which files no script or style used.
      await page.waitForTimeout(7_000);
      assert.deepEqual(unused, []);
      assertNoOffences(offences);
    });
  }
});
