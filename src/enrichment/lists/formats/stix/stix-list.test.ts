import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readListText } from '../../../../testing/enrichment/read-list-text.ts';
import { readStixPattern } from './stix-pattern.ts';

const GREEN = 'marking-definition--34098fce-860f-48ae-8e50-ebd3cc5e41da';
const AMBER_STRICT = 'marking-definition--939a9414-2ddd-4d32-a0cd-375ea402b003';
const OWN = 'marking-definition--00000000-0000-4000-8000-000000000001';
const STATEMENT = 'marking-definition--00000000-0000-4000-8000-000000000002';
const AUTHOR = 'identity--00000000-0000-4000-8000-000000000003';

const indicator = (pattern: string, fields = {}) => ({
  type: 'indicator',
  spec_version: '2.1',
  id: 'indicator--00000000-0000-4000-8000-000000000004',
  pattern,
  pattern_type: 'stix',
  valid_from: '2024-01-01T00:00:00Z',
  ...fields,
});
const bundle = (...objects: readonly unknown[]) => JSON.stringify({ type: 'bundle', id: 'bundle--1', objects });
const stix = (content: string, size?: number) => readListText({ format: 'stix' }, content, size);

describe('bundles of STIX', () => {
  it('give an entry for each indicator with all that it says', async () => {
    const full = indicator("[ipv4-addr:value = '198.51.100.7']", {
      name: 'C2',
      indicator_types: ['benign', 'malicious-activity'],
      confidence: 85,
      labels: ['apt'],
      kill_chain_phases: [{ kill_chain_name: 'mitre-attack', phase_name: 'exfiltration' }],
      valid_until: '2034-01-01T00:00:00Z',
      created_by_ref: AUTHOR,
      object_marking_refs: [GREEN, STATEMENT],
      external_references: [{ source_name: 'x' }, { source_name: 'y', url: 'https://report.example/1' }],
    });
    const author = { type: 'identity', id: AUTHOR, name: 'Example CERT' };
    const statement = {
      type: 'marking-definition',
      id: STATEMENT,
      definition_type: 'statement',
      definition: { statement: '©' },
    };
    for (const objects of [
      [author, statement, full],
      [full, author, statement],
    ]) {
      const { entries, leftOut } = await stix(bundle(...objects), 50);
      assert.deepEqual(leftOut, {});
      assert.deepEqual(entries, [
        {
          match: 'exact',
          type: 'ipv4',
          value: '198.51.100.7',
          marking: 'TLP:GREEN',
          details: {
            opinion: 'malicious',
            confidence: 0.85,
            author: 'Example CERT',
            tags: ['apt'],
            killChain: ['mitre-attack:exfiltration'],
            validFrom: '2024-01-01T00:00:00.000Z',
            validUntil: '2034-01-01T00:00:00.000Z',
            summary: 'C2',
            link: 'https://report.example/1',
          },
        },
      ]);
    }
  });

  it('are marked by the strictest marking, and never below one that is not known', async () => {
    const own = (definition: object) => ({ type: 'marking-definition', id: OWN, ...definition });
    const markingOf = async (refs: readonly string[], more: readonly object[] = [], fields = {}) => {
      const { entries } = await stix(
        bundle(indicator("[url:value = 'http://a.example/']", { object_marking_refs: refs, ...fields }), ...more),
      );
      return entries[0]?.marking;
    };
    assert.equal(await markingOf([]), undefined);
    assert.equal(await markingOf([GREEN, AMBER_STRICT]), 'TLP:AMBER+STRICT');
    assert.equal(await markingOf([GREEN, OWN]), 'TLP:RED');
    assert.equal(await markingOf([GREEN, OWN], [own({ definition_type: 'statement' })]), 'TLP:GREEN');
    assert.equal(await markingOf([OWN], [own({ definition_type: 'tlp', definition: { tlp: 'white' } })]), 'TLP:CLEAR');
    assert.equal(await markingOf([OWN], [own({ extensions: { x: { tlp_2_0: 'amber' } } })]), 'TLP:AMBER');
    assert.equal(await markingOf([OWN], [own({ name: 'TLP:unheard' })]), 'TLP:RED');
    assert.equal(await markingOf([GREEN], [{ ...own({ name: 'TLP:CLEAR' }), id: AMBER_STRICT }]), 'TLP:GREEN');
    const parts = { granular_markings: [{ marking_ref: AMBER_STRICT, selectors: ['description'] }] };
    assert.equal(await markingOf([GREEN], [], parts), 'TLP:AMBER+STRICT');
  });

  it('may have 10,000 markings, before and after', async () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => `marking-definition--${index}`);
    const markings = ids.map((id) => ({ type: 'marking-definition', id, name: 'TLP:AMBER' }));
    const indicators = ids.map((id) => indicator("[url:value = 'http://a.example/']", { object_marking_refs: [id] }));
    const one = indicator("[url:value = 'http://a.example/']", { object_marking_refs: ids });
    for (const objects of [
      [...markings, ...indicators, one],
      [one, ...indicators, ...markings],
    ]) {
      const { entries } = await stix(bundle(...objects));
      assert.equal(entries.length, 10_001);
      assert.ok(entries.every(({ marking }) => marking === 'TLP:AMBER'));
    }
  });

  it('count what is no entry', async () => {
    const { entries, leftOut } = await stix(
      bundle(
        indicator("[domain-name:value = 'evil.example']"),
        indicator("[domain-name:value = 'gone.example']", { revoked: true }),
        indicator("[domain-name:value = 'a.example' OR domain-name:value = 'b.example']"),
        indicator('alert tcp any any', { pattern_type: 'snort' }),
        { type: 'indicator' },
        { type: 'malware', name: 'x' },
        { type: 'extension-definition' },
        { __proto__: { type: 'indicator' } },
        'text',
        indicator("[domain-name:value = 'large.example']", { description: 'x'.repeat(1_100_000) }),
      ),
    );
    assert.deepEqual(
      entries.map(({ value }) => value),
      ['evil.example'],
    );
    assert.deepEqual(leftOut, {
      'is revoked': 1,
      'has a pattern that is not one comparison of a known property': 1,
      'has a pattern of another language': 1,
      'has no pattern': 1,
      'is not an indicator': 2,
      'is not a STIX object': 1,
      'is larger than 1 MB': 1,
    });
    assert.deepEqual((await stix(bundle())).entries, []);
    assert.deepEqual((await stix(bundle(indicator('[x]', { revoked: true })))).entries, []);
  });

  it('are refused when they end in the middle, are another document, or hold nothing that is understood', async () => {
    const content = bundle(indicator("[url:value = 'http://a.example/']"));
    await assert.rejects(stix(content.slice(0, -3)), /^ListProblem: list: it ends in the middle, after \d+ bytes\.$/);
    await assert.rejects(stix('{"error":"unauthorized"}'), /is not a STIX bundle: it has no list of objects/);
    await assert.rejects(stix('<html>'), /list, byte 1: it is not JSON/);
    await assert.rejects(stix(bundle({ type: 'malware' })), /\(1 × is not an indicator\)/);
  });
});

describe('patterns of STIX', () => {
  it('are read when they are one comparison', () => {
    for (const [pattern, expected] of [
      ["[ipv4-addr:value='198.51.100.7']", 'ipv4 198.51.100.7'],
      ["[ipv4-addr:value = '198.51.100.0/24']", 'ipv4 198.51.100.0/24'],
      ["[ipv4-addr:value ISSUBSET '198.51.100.0/24']", 'ipv4 198.51.100.0/24'],
      ["[ipv6-addr:value ISSUBSET '2001:DB8::/32']", 'ipv6 2001:db8::/32'],
      [" [ domain-name:value = 'Evil.example' ] ", 'domain evil.example'],
      ["[url:value = 'https://a.example/it\\'s\\\\']", "url https://a.example/it's\\"],
      ["[email-addr:value = 'a@evil.example']", 'email_address a@evil.example'],
      [`[file:hashes.'SHA-256' = '${'A'.repeat(64)}']`, `sha256 ${'a'.repeat(64)}`],
      [`[file:hashes."SHA-1" = '${'1'.repeat(40)}']`, `sha1 ${'1'.repeat(40)}`],
      [`[file:hashes.MD5 = '${'1'.repeat(32)}']`, `md5 ${'1'.repeat(32)}`],
      ["[network-traffic:dst_ref.value = '2001:db8::7']", 'ipv6 2001:db8::7'],
    ] as const) {
      const value = readStixPattern(pattern);
      assert.equal(`${value?.type} ${value?.value}`, expected, pattern);
    }
  });

  it('are not read otherwise', () => {
    for (const pattern of [
      '',
      '[]',
      "[ipv4-addr:value = '198.51.100.256']",
      "[ipv4-addr:value = '2001:db8::7']",
      "[ipv4-addr:value != '198.51.100.7']",
      "[ipv4-addr:value NOT = '198.51.100.7']",
      "[NOT ipv4-addr:value = '198.51.100.7']",
      "[ipv4-addr:value ISSUPERSET '198.51.100.0/24']",
      "[domain-name:value ISSUBSET 'evil.example']",
      "[url:value LIKE 'http://%']",
      "[url:value MATCHES '^http']",
      "[ipv4-addr:value IN ('198.51.100.7')]",
      "[ipv4-addr:value = '198.51.100.7' AND url:value = 'http://a.example']",
      "[ipv4-addr:value = '198.51.100.7'] FOLLOWEDBY [url:value = 'http://a.example']",
      "[ipv4-addr:value = '198.51.100.7'] WITHIN 5 SECONDS",
      "[ipv4-addr:value = '198.51.100.7",
      "[file:name = 'evil.exe']",
      '[file:size = 12]',
      "[x:__proto__ = 'a']",
      `[url:value = 'http://a.example/${'x'.repeat(10_000)}']`,
    ]) {
      assert.equal(readStixPattern(pattern), undefined, pattern);
    }
  });

  it('take any string as it was quoted, and any text in linear time', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[!-~]{0,30}$/), fc.constantFrom('', "'", '\\', "\\'"), (path, end) => {
        const url = `http://a.example/${path.replaceAll(/[[({\\]/g, '')}`;
        const quoted = `${url}/${end}`.replaceAll(/(['\\])/g, '\\$1');
        assert.equal(readStixPattern(`[url:value = '${quoted}']`)?.value, `${url}/${end}`);
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => void readStixPattern(`[url:value = '${text}`)));
    const { user } = process.cpuUsage();
    for (const part of ['[', "'", '\\', ' ', '[a:b ', "[a:b = '\\", 'a:'])
      readStixPattern(part.repeat(5000).slice(0, 10_000));
    assert.ok(process.cpuUsage().user - user < 500_000);
  });
});
