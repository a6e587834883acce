import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { enforcedClassification } from '../../../testing/analysis/enforced-classification.ts';
import { askOwnSource, replaceFile } from '../../../testing/enrichment/ask-own-source.ts';
import { type MmdbValue, mmdbFile } from '../../../testing/enrichment/mmdb-file.ts';
import { basic } from '../../../testing/identity/open-test-identity.ts';
import { openEnrichment } from '../../../testing/open-enrichment.ts';
import { until } from '../../../testing/until.ts';
import type { LookupFlags } from '../../sources/source-client.ts';
import { openGeoSource } from './geo-source.ts';

type Networks = Readonly<Record<string, MmdbValue>>;

const engine = enforcedClassification;
const CANADA = { iso_code: 'CA', names: { fr: 'Canada', en: 'Canada' } };
const CITIES: Networks = {
  '198.51.100.0/24': { country: CANADA, city: { names: { en: 'Ottawa' } }, traits: { id: 2n ** 100n } },
  '2001:db8::/32': { country: { iso_code: 'FR', names: { fr: 'La France' } } },
  '203.0.113.0/25': { registered_country: CANADA },
};
const NETWORKS: Networks = {
  '198.51.100.0/25': { autonomous_system_number: 64_496, autonomous_system_organization: 'Example Ltd' },
  '192.0.2.0/24': { country: 'DE', country_name: 'Germany', asn: 'AS64500', as_name: 'Beispiel GmbH' },
  '203.0.113.128/25': { isp: 'Provider' },
};

describe('the source geo', () => {
  const rows: readonly (readonly [address: string, said: readonly string[]])[] = [
    [
      '198.51.100.7',
      [
        'The address is in Canada (CA).',
        'The address is in or near Ottawa.',
        'The address is in the network AS64496 of Example Ltd.',
      ],
    ],
    ['198.51.100.200', ['The address is in Canada (CA).', 'The address is in or near Ottawa.']],
    ['192.0.2.1', ['The address is in Germany (DE).', 'The address is in the network AS64500 of Beispiel GmbH.']],
    ['203.0.113.200', ['The network of the address belongs to Provider.']],
    ['2001:db8::1', ['The address is in La France (FR).']],
    ['2001:db8::1%eth0', ['The address is in La France (FR).']],
    [
      '::ffff:192.0.2.1',
      ['The address is in Germany (DE).', 'The address is in the network AS64500 of Beispiel GmbH.'],
    ],
    [
      '2002:c000:201::1',
      ['The address is in Germany (DE).', 'The address is in the network AS64500 of Beispiel GmbH.'],
    ],
    ['203.0.113.1', []],
    ['8.8.8.8', []],
    ['2001:db9::1', []],
    ['__proto__', []],
  ];
  it('says country, city and network of addresses, the first file first', async (context) => {
    const { ask } = await open(context, [mmdbFile(CITIES), mmdbFile(NETWORKS, { ipVersion: 4 })]);
    for (const [address, said] of rows) {
      const [item] = await ask(address);
      assert.deepEqual(item?.annotations.map(({ summary }) => summary) ?? [], said, address);
    }
    const [item] = await ask('198.51.100.7');
    const [country] = item?.annotations ?? [];
    assert.equal(country?.version, 'a.mmdb 2026-01-01');
    assert.equal(country?.icon, 'circle-flags:ca');
  });

  it('adds the records only for callers who want them, and no annotations for those who do not', async (context) => {
    const { ask } = await open(context, [mmdbFile(CITIES)]);
    assert.equal((await ask('198.51.100.7'))[0]?.raw_data, undefined);
    const [item] = await ask('198.51.100.7', { includeRaw: true, noAnnotation: true });
    assert.deepEqual(item?.annotations, []);
    assert.deepEqual({ ...(item?.raw_data as object) }, { 'a.mmdb': CITIES['198.51.100.0/24'] });
  });

  it('reads a changed file again, and keeps the content of a broken one out', async (context) => {
    const { ask, replace, lines } = await open(context, [mmdbFile({ '192.0.2.0/24': { country: CANADA } })]);
    const country = async () => (await ask('192.0.2.1'))[0]?.annotations[0]?.value;
    assert.equal(await country(), 'CA');
    const france = mmdbFile({ '192.0.2.0/24': { country: { iso_code: 'FR', names: { en: 'France' } } } });
    for (const broken of [france.subarray(0, -200), Buffer.alloc(300_000, 1), france.subarray(100)]) {
      const before = lines.length;
      await replace(0, broken);
      await until('it is looked at', () => lines.length > before);
      assert.match(lines.at(-1) ?? '', /the file is not usable; the former content stays in use/);
      assert.equal(await country(), 'CA');
    }
    await replace(0, france);
    await until('the new file is used', async () => (await country()) === 'FR');
  });

  it('names a file that never was usable, until it is there', async (context) => {
    const { ask, replace } = await open(context, [Buffer.from('<html>')]);
    await assert.rejects(ask('192.0.2.1'), /a\.mmdb of enrichment\.geo\.files is not usable: it is not an MMDB file/);
    await replace(0, mmdbFile(NETWORKS));
    const isRead = () =>
      ask('192.0.2.1').then(
        (items) => items.length === 1,
        () => false,
      );
    await until('the file is read', isRead);
  });

  it('answers with the files that are usable', async (context) => {
    const { ask } = await open(context, [Buffer.alloc(10), mmdbFile(NETWORKS)]);
    assert.equal((await ask('192.0.2.1')).length, 1);
  });

  it('is off without files', () => {
    assert.equal(openGeoSource({ files: [], engine, log: { info() {}, warn() {} } }), undefined);
  });

  it('gives readable answers for any record', async (context) => {
    const text = fc.string({ maxLength: 20 });
    const names = fc.dictionary(text, text, { maxKeys: 3 }).map((byLanguage) => ({ names: byLanguage }));
    const part = fc.oneof(text, names, fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.boolean(), fc.constant([]));
    const keys = 'country country_name country_code city asn as_name autonomous_system_number isp'.split(' ');
    const record = fc.dictionary(fc.constantFrom(...keys), part as fc.Arbitrary<MmdbValue>);
    const records = fc.sample(record, 200);
    const networks = Object.fromEntries(records.map((one, index) => [`192.0.2.${index}/32`, one]));
    const { ask } = await open(context, [mmdbFile(networks)]);
    for (const index of records.keys()) await ask(`192.0.2.${index}`);
  });

  it('answers lookups over HTTP when a file is set', async (context) => {
    const { paths } = await open(context, [mmdbFile(CITIES)]);
    const { app } = await openEnrichment(context, {
      'enrichment.own_sources': 'facts,geo',
      'enrichment.geo.files': paths.join(','),
    });
    const headers = {
      authorization: basic('robot:robot-secret'),
      'x-userid': 'grace',
      'x-classification': 'UNRESTRICTED',
    };
    const payload = [{ type: 'ip', value: '198.51.100.7' }];
    const { api_response: results } = (
      await app.inject({ method: 'POST', url: '/enrich/?include_raw=true', headers, payload })
    ).json();
    const { geo, facts } = results.ipv4['198.51.100.7'];
    assert.equal(geo.items[0].annotations[0].value, 'CA');
    assert.equal(facts.items[0].annotations[0].value, 'documentation');
  });
});

async function open(context: TestContext, contents: readonly Buffer[]) {
  const folder = await mkdtemp(join(tmpdir(), 'triad-geo-'));
  const paths = contents.map((_, index) => join(folder, `${'abc'.charAt(index)}.mmdb`));
  await Promise.all(contents.map((content, index) => writeFile(paths[index] ?? '', content)));
  const lines: string[] = [];
  const note = (_entry: object, message: string) => void lines.push(message);
  const source = openGeoSource({ files: paths, engine, log: { info: note, warn: note } });
  assert.ok(source);
  context.after(async () => {
    await source.close?.();
    await rm(folder, { recursive: true });
  });
  const ask = (value: string, changes: Partial<LookupFlags> = {}) =>
    askOwnSource(source, { type: value.includes(':') ? 'ipv6' : 'ipv4', value }, changes);
  const replace = (index: number, content: Buffer) => replaceFile(paths[index] ?? '', content);
  return { ask, replace, lines, paths };
}
