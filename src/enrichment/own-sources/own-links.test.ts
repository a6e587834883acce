import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type AnalysisTestProgram, startAnalysisTestProgram } from '../../testing/analysis/analysis-program.ts';
import { aResult, aSection, aSha256 } from '../../testing/analysis/result-builders.ts';
import { seedSubmission } from '../../testing/analysis/seeded-submission.ts';
import { ALERT_LINKS } from './alerts/alert-links.ts';
import { ANALYSIS_LINKS } from './analysis/analysis-links.ts';
import { linksOf } from './values/service-links.ts';

const SITE = 'https://triad.example.org';
const REMOTE = 'https://remote.example/howler/';
const SERVICE = 'http://127.0.0.1:5000';
const HASH = aSha256(1);
const QUERY = 'url.full:"http://a.example/?b=c&d#e"';

const addresses = { remote: '', web: null, service: () => SERVICE };
const asked = encodeURIComponent(QUERY);
const ADMIN = 'admin:devkey:admin';
const FEATURES = join(import.meta.dirname, '../../../ui/src/features');

/** Returns the paths of all pages of the web interface, with `$id` for what varies. */
function pagePaths(): ReadonlySet<string> {
  const files = readdirSync(FEATURES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /routes\.tsx?$/.test(name),
  );
  const texts = files.map((name) => readFileSync(join(FEATURES, name), 'utf8'));
  return new Set(texts.flatMap((text) => [...text.matchAll(/^ {2}path: '([^']+)'/gm)].map(([, path]) => path ?? '')));
}

describe('the links of the sources alerts and analysis', () => {
  it('lead to the pages of a Howler and an Assemblyline that the sources ask', () => {
    const remote = { ...addresses, remote: REMOTE, web: SITE };
    const alerts = linksOf(remote, ALERT_LINKS);
    assert.deepEqual(
      [alerts.search(QUERY), alerts.alert('a/b'), alerts.case('c')],
      [
        `https://remote.example/howler/search?span=date.range.all&query=${asked}`,
        'https://remote.example/howler/hits/a%2Fb',
        'https://remote.example/howler/cases/c',
      ],
    );
    const analysis = linksOf({ ...remote, remote: 'https://al.example' }, ANALYSIS_LINKS);
    assert.deepEqual(
      [analysis.file(HASH), analysis.results(QUERY), analysis.listed('badlist', 'a/b'), analysis.submission('sid')],
      [
        `https://al.example/file/detail/${HASH}`,
        `https://al.example/search/result?query=${asked}`,
        'https://al.example/manage/badlist/a%2Fb',
        'https://al.example/submission/sid',
      ],
    );
  });

  it('lead to pages that the web interface has', () => {
    const paths = pagePaths();
    const here = { ...addresses, web: `${SITE}/` };
    const alerts = linksOf(here, ALERT_LINKS);
    const analysis = linksOf(here, ANALYSIS_LINKS);
    const links = [
      ...[alerts.search(QUERY), alerts.alert('$id'), alerts.case('$id')],
      ...[analysis.file(HASH), analysis.submission('$id'), analysis.results(QUERY), analysis.listed('safelist', 'x')],
    ].filter((link) => link !== undefined);
    assert.equal(links.length, 5, 'the web interface has no page of results, of the bad list and of the safe list');
    for (const link of links) {
      const { origin, pathname } = new URL(link);
      assert.equal(origin, SITE);
      assert.ok(paths.has(decodeURIComponent(pathname)), `${link} is not among ${[...paths].join(' ')}`);
    }
    assert.equal(alerts.search(QUERY), `${SITE}/alerts?q=${asked}`);
  });

  it('lead to the routes of the service where the web interface has no public address', () => {
    const alerts = linksOf(addresses, ALERT_LINKS);
    assert.equal(alerts.search(QUERY), `${SERVICE}/api/v1/search/hit?query=${asked}`);
    assert.equal(alerts.alert('a/b'), `${SERVICE}/api/v1/hit/a%2Fb`);
    assert.equal(linksOf(addresses, ANALYSIS_LINKS).submission('sid'), `${SERVICE}/api/v4/submission/sid/`);
    assert.equal(linksOf({ ...addresses, service: () => undefined }, ALERT_LINKS).alert('x'), undefined);
  });

  it('are left out when they are longer than browsers and proxies accept', () => {
    const { search } = linksOf({ ...addresses, web: SITE }, ALERT_LINKS);
    const room = 4_000 - `${SITE}/alerts?q=`.length;
    assert.equal(search('x'.repeat(room))?.length, 4_000);
    assert.equal(search('x'.repeat(room + 1)), undefined);
  });
});

describe('the links of an installation with a public URL', () => {
  const [SUBMITTED, EXTRACTED] = [aSha256(2), aSha256(3)];
  let program: AnalysisTestProgram;
  let alert: string;

  before(async () => {
    program = await startAnalysisTestProgram({
      demo: 'users',
      settings: { 'enrichment.own_sources': 'alerts,analysis', components: ['http'], 'http.public_url': SITE },
    });
    const tags = { network: { static: { domain: ['evil.example'] } } } as never;
    await seedSubmission(program.store, {
      sid: 'with-both',
      files: [{ sha256: SUBMITTED }, { sha256: EXTRACTED }],
      results: [aResult({ sha256: EXTRACTED, service: 'Mini', sections: [aSection({ tags })] })],
    });
    await seedSubmission(program.store, { sid: 'with-another', files: [{ sha256: aSha256(4) }] });
    const json = [{ howler: { analytic: 'A' }, source: { ip: '198.51.100.7' }, classification: 'TLP:CLEAR' }];
    const stored = await program.request('/api/v1/hit?refresh=wait_for', { method: 'POST', basic: ADMIN, json });
    alert = stored.json.api_response.valid[0].howler.id;
  });
  after(() => program?.close());

  async function itemOf(source: string, type: string, value: string) {
    const request = { service: 'enrichment', method: 'POST', basic: ADMIN, json: [{ type, value }] } as const;
    const { json, text } = await program.request('/enrich/?max_timeout=60', request);
    const [item] = json.api_response[type][value][source].items;
    assert.ok(item, text);
    return item;
  }

  it('lead to the alerts with the value and to each of the newest', async () => {
    const item = await itemOf('alerts', 'ipv4', '198.51.100.7');
    const { origin, pathname, searchParams } = new URL(item.link);
    assert.equal(`${origin}${pathname}`, `${SITE}/alerts`);
    assert.match(searchParams.get('q') ?? '', /"198\.51\.100\.7"/);
    assert.ok(JSON.stringify(item.annotations).includes(`(${SITE}/alerts/${alert})`));
  });

  it('lead to the submissions that hold the file', async () => {
    for (const sha256 of [SUBMITTED, EXTRACTED]) {
      const { origin, pathname, searchParams } = new URL((await itemOf('analysis', 'sha256', sha256)).link);
      assert.equal(`${origin}${pathname}`, `${SITE}/files`);
      const query = encodeURIComponent(searchParams.get('q') ?? '');
      const { json, text } = await program.request(`/api/v4/search/submission/?query=${query}`, {
        service: 'analysis',
        headers: { 'x-user': 'admin', 'x-apikey': 'devkey:admin' },
      });
      assert.deepEqual(
        json.api_response.items?.map(({ sid }: { sid: string }) => sid),
        ['with-both'],
        text,
      );
    }
  });

  it('are absent where the web interface has no page', async () => {
    const item = await itemOf('analysis', 'domain', 'evil.example');
    assert.deepEqual([item.count, item.link], [1, undefined]);
  });
});
