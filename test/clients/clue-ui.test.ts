import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { startPlugin } from '../../sdk/plugin/src/testing.js';
import { startAnalysisTestProgram } from '../../src/testing/analysis/analysis-program.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../../src/testing/identity/identity-provider.ts';
import { outsideServer } from '../../src/testing/servers/outside-servers.ts';
import type { TestProgram } from '../../src/testing/start-test-program.ts';
import { startServer } from '../servers/start-server.ts';
import { builtUi } from './clue/built-ui.ts';
import { clueCheckout } from './clue/clue-checkout.ts';
import { uiPlugin } from './clue/ui-plugin.ts';
import { startUiServer } from './clue/ui-server.ts';

/** The pages ask in this classification unless told otherwise: the highest there is. */
const HIGH = 'TLP:AMBER+STRICT//COMMERCIAL';
const FETCHERS = ['text', 'record', 'picture', 'state', 'family_graph', 'failing'];

describe('the user interface of the public enrichment system', { timeout: 1_800_000 }, () => {
  const found = clueCheckout();
  const { unavailable } = outsideServer('chromium');
  const reason = 'reason' in found ? found.reason : unavailable;
  if ('reason' in found || reason !== undefined) {
    it('not run', { skip: reason ?? false });
    return;
  }
  const stack = new AsyncDisposableStack();
  const failed: string[] = [];
  let ui: Awaited<ReturnType<typeof startUiServer>>;
  let provider: TestIdentityProvider;
  let program: TestProgram;
  let context: BrowserContext;
  let page: Page;

  before(async () => {
    const { pages, editor } = await builtUi(found.checkout);
    provider = stack.use(await startIdentityProvider());
    ui = stack.use(await startUiServer(pages, () => program.urls.enrichment));
    provider.allowRedirects([`${ui.url}/login?provider=keycloak`]);
    const plugin = stack.use(await startPlugin(uiPlugin(HIGH)));
    const texts = await mkdtemp(join(tmpdir(), 'triad-clue-texts-'));
    stack.defer(() => rm(texts, { recursive: true, force: true }));
    await writeFile(join(texts, 'lab-docs.md'), '# Lab\n\nSummary: What the lab knows\n');
    program = await startAnalysisTestProgram({
      settings: {
        'auth.oauth.enabled': true,
        'auth.oauth.providers': { keycloak: provider.settings({ classification_map: { soc: HIGH } }) },
        'enrichment.cors_origins': ui.url,
        'enrichment.documentation_folder': texts,
        'enrichment.own_sources': '',
        'enrichment.external_sources': [{ name: 'lab', url: plugin.url, max_classification: HIGH }],
      },
    });
    stack.defer(() => program.close());
    const server = stack.use(await startServer('chromium'));
    // It takes a second to load, which those who skip this test do not wait for.
    const { chromium } = await import('playwright-core');
    const browser = await chromium.connectOverCDP(server.url);
    stack.defer(() => browser.close());
    context = await browser.newContext({ locale: 'en', viewport: { width: 1600, height: 1200 } });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: ui.url });
    // Without a network, the editor of the pages is the one they were built with, and icons are left out.
    await context.route(
      ({ hostname }) => hostname !== '127.0.0.1',
      async (route) => {
        const file = /\/monaco-editor@[^/]+\/min(\/.+)$/.exec(new URL(route.request().url()).pathname)?.[1];
        await (file === undefined ? route.abort() : route.fulfill({ path: join(editor, file) }));
      },
    );
    page = await context.newPage();
    page.on('pageerror', (error) => failed.push(`page: ${error.message}`));
    page.on('response', (response) => {
      if (response.status() >= 400)
        failed.push(`${response.status()} ${response.request().method()} ${response.url()}`);
    });
  });
  after(() => stack[Symbol.asyncDispose]());

  const open = (path: string) => page.goto(`${ui.url}${path}`);
  const shows = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const choose = async (label: string, value: string) => {
    await page.getByRole('combobox', { name: label }).fill(value);
    await page.getByText(value, { exact: true }).last().click();
  };

  it('signs in through the identity provider', async () => {
    await open('/');
    await page.locator('a[href*="oauth_provider=keycloak"]').click();
    await page.locator('input[name=username]').fill('hopper');
    await page.locator('input[name=password]').fill('password-of-hopper');
    await page.getByRole('button').click();
    await page.waitForURL(`${ui.url}/`);
    await shows('Types supported');
  });

  it('enriches a pasted list', async () => {
    await page.locator('.monaco-editor').first().click();
    const list = '192.0.2.66\nwww.example.org\nhttps://example.org/a?b=c';
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(list)})`);
    await page.keyboard.press('Control+V');
    await page.getByRole('button', { name: 'Enrich', exact: true }).click();
    for (const type of ['IPV4:', 'DOMAIN:', 'URL:']) await shows(type);
  });

  it('lists the sources', async () => {
    await page.getByRole('button', { name: /sources/i }).click();
    await page.locator('#sources-popover').getByText('lab', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('opens a popover with the annotations of a value', async () => {
    await open('/examples');
    await page.locator('.enriched-typography').getByText('43.238.136.170').first().click();
    await page.locator('.MuiPopover-paper').getByText('The lab knows 43.238.136.170').first().waitFor();
  });

  it('runs an action with a form', async () => {
    await open('/actions');
    await choose('Select Action', 'lab.note');
    await choose('Selector Type', 'domain');
    await page.getByLabel('Selector Value').fill('www.example.org');
    await page.getByRole('button', { name: 'Execute Action' }).click();
    await page.getByLabel('Comment').fill('look here');
    await page.getByRole('button', { name: 'Execute', exact: true }).click();
    await shows('Noted of www.example.org:');
    await page.locator('strong', { hasText: 'look here' }).waitFor();
  });

  it('shows every format of a fetcher, and a failure', async () => {
    await open('/fetchers');
    await page.getByPlaceholder('Selector Type').fill('domain');
    await page.getByRole('option', { name: 'domain', exact: true }).click();
    await page.getByLabel('Selector Value').fill('www.example.org');
    for (const id of FETCHERS) {
      await choose('Select Fetcher', `lab.${id}`);
      await page.getByRole('button', { name: 'Add Fetcher' }).click();
    }
    await page.getByRole('heading', { name: 'A heading of the lab' }).waitFor();
    for (const text of ['colour', 'Known to the lab', 'Parent', 'Child', 'The lab is closed.']) await shows(text);
    await page.getByAltText('A picture of the lab').waitFor();
  });

  it('lists the plugins with what they offer', async () => {
    await open('/help');
    for (const text of ['Lab Plugin', 'Active', 'What the lab knows', 'note', ...FETCHERS]) await shows(text);
  });

  it('may ask the service from another origin', async () => {
    const answers = await page.evaluate(async (service) => {
      const token = JSON.parse(localStorage.getItem('clue.ui.app_token') ?? 'null');
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'X-XSRF-TOKEN': 'x' };
      const ask = async (path: string, body?: string) => {
        const init = body === undefined ? {} : { method: 'POST', body };
        const answer = await fetch(`${service}/api/v1/${path}`, { credentials: 'include', headers, ...init });
        return answer.status;
      };
      const selectors = JSON.stringify([{ type: 'domain', value: 'example.org' }]);
      return Promise.all([ask('configs'), ask('lookup/types'), ask('actions'), ask('lookup/enrich', selectors)]);
    }, program.urls.enrichment);
    assert.deepEqual(answers, [200, 200, 200, 200]);
  });

  it('had no refused request and no error of its own', () => {
    assert.deepEqual(failed, []);
  });

  it('renews an expired token', async () => {
    const expired = await provider.accessToken('hopper', 'enrichment', { exp: 1_000_000_000 });
    await page.evaluate((token) => localStorage.setItem('clue.ui.app_token', JSON.stringify(token)), expired);
    await open('/');
    await page.getByText('domain', { exact: true }).first().waitFor();
    const renewed = await page.evaluate(() => JSON.parse(localStorage.getItem('clue.ui.app_token') ?? 'null'));
    assert.notEqual(renewed, expired);
    assert.ok(failed.length > 0 && failed.every((line) => line.startsWith('401 ')), failed.join('\n'));
  });
});
