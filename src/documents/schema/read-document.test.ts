import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isTriadError } from '../../errors/errors.ts';
import { caseDocument, caseRule } from '../kinds/case.ts';
import { dossierDocument } from '../kinds/dossier.ts';
import { type Hit, hitDocument } from '../kinds/hit.ts';
import { userDocument } from '../kinds/user.ts';
import { viewDocument } from '../kinds/view.ts';
import { mergeDocument, type ReadOptions, readDocument, readFieldValue, readObject } from './read-document.ts';

const classification = { unrestricted: 'TLP:CLEAR', normalise: (text: string) => text.toUpperCase() };
const now = new Date('2026-01-02T03:04:05.678Z');
const NOW = '2026-01-02T03:04:05.678000Z';

function readHit(input: Record<string, unknown>, options: Partial<ReadOptions> = {}): Hit {
  const sent = { 'howler.analytic': 'Probe', 'howler.hash': 'ab', ...input };
  return readDocument(hitDocument, sent, { unknown: 'refuse', classification, now, ...options }).document;
}

function refusal(act: () => unknown): { message: string; at: unknown } {
  try {
    act();
  } catch (error) {
    if (!isTriadError(error) || error.kind !== 'invalid_input') throw error;
    assert.equal(error.code, 'invalid_document');
    return { message: error.message, at: error.at };
  }
  return assert.fail('nothing was refused');
}

describe('readDocument', () => {
  it('takes flat, nested and mixed keys for the same document', () => {
    const flat = readHit({ 'source.ip': '1.2.3.4', 'source.port': 80, 'labels.team': 'x', 'howler.id': 'i' });
    const nested = readHit({ source: { ip: '1.2.3.4', port: 80 }, labels: { team: 'x' }, 'howler.id': 'i' });
    const mixed = readHit({ source: { ip: '1.2.3.4' }, 'source.port': 80, labels: { team: 'x' }, howler: { id: 'i' } });
    assert.deepEqual(nested, flat);
    assert.deepEqual(mixed, flat);
    assert.deepEqual(flat.source, { ip: '1.2.3.4', port: 80 });
  });

  it('fills in defaults and makes identifiers and times', () => {
    const hit = readHit({ event: { kind: 'alert' } });
    assert.equal(hit.timestamp, NOW);
    assert.deepEqual(hit.event, { ingested: NOW, kind: 'alert' });
    assert.equal(hit.classification, 'TLP:CLEAR');
    assert.equal(hit.__index, 'hit');
    assert.match(hit.howler.id, /^[0-9A-Za-z]{16,22}$/);
    assert.deepEqual(hit.howler.labels?.generic, []);
    assert.equal(hit.howler.assignment, 'unassigned');
  });

  it('turns numbers into text and text into numbers', () => {
    const hit = readHit({
      'agent.id': 5,
      'rule.id': true,
      'file.size': '77',
      'howler.score': ' 1_2.5 ',
      'host.name': 1e-7,
    });
    assert.equal(hit.agent?.id, '5');
    assert.equal(hit.rule?.id, 'True');
    assert.equal(hit.file?.size, 77);
    assert.equal(hit.howler.score, 12.5);
    assert.equal(hit.host?.name, '1e-07');
  });

  it('keeps zero and takes false as written', () => {
    const hit = readHit({ 'howler.severity': 0, 'process.interactive': 'false', 'process.same_as_process': 'yes' });
    assert.equal(hit.howler.severity, 0);
    assert.equal(hit.process?.interactive, false);
    assert.equal(hit.process?.same_as_process, true);
  });

  it('keeps integers of 64 bits exactly and rejects larger ones with the range', () => {
    const size = (sent: unknown) => readHit({ 'file.size': sent }).file?.size;
    const kept = [9007199254740991, 9007199254740992n, 9007199254740993n, 2n ** 63n - 1n, -(2n ** 63n)];
    for (const integer of kept) {
      assert.equal(size(integer), integer);
      assert.equal(size(String(integer)), integer);
    }
    assert.equal(size(12n), 12);
    assert.equal(size(2 ** 60), 2n ** 60n);
    for (const [sent, bound] of [
      [2n ** 63n, 'greater than maximum value 9223372036854775807'],
      [-(2n ** 63n) - 1n, 'less than minimum value -9223372036854775808'],
    ] as const) {
      for (const form of [sent, String(sent)]) {
        assert.equal(
          refusal(() => size(form)).message,
          `[hit.file.size]: ${sent} is ${bound} (-9223372036854775808 to 9223372036854775807)`,
        );
      }
    }
    assert.match(refusal(() => size(Number.POSITIVE_INFINITY)).message, /Infinity is greater than maximum value/);
    assert.match(
      refusal(() => readHit({ 'event.severity': 2 ** 31 })).message,
      /greater than maximum value 2147483647/,
    );
  });

  it('leaves out empty values of optional fields and objects without anything in them', () => {
    const hit = readHit({ 'agent.id': '', 'source.ip': null, 'event.start': null, 'howler.outline': {} });
    assert.equal('agent' in hit, false);
    assert.equal('source' in hit, false);
    assert.equal('outline' in hit.howler, false);
  });

  it('reads a list of objects from columns', () => {
    const hit = readHit({
      'howler.links': { href: ['a', 'b'], title: ['A', 'B'] },
      'howler.comment.value': ['v'],
      'howler.comment.user': ['u'],
    });
    assert.deepEqual(hit.howler.links, [
      { href: 'a', title: 'A' },
      { href: 'b', title: 'B' },
    ]);
    assert.equal(hit.howler.comment[0]?.user, 'u');
    assert.match(
      refusal(() => readHit({ 'howler.links': { href: ['a', 'b'], title: ['A'] } })).message,
      /^Flattened fields creating list of ODMs must have equal length\. Key title has length 1 compared to key href with length 2\.$/,
    );
  });

  const refusals: [Record<string, unknown>, string][] = [
    [{ 'howler.analytic': undefined }, '[hit.howler.analytic]: value is missing from the object!'],
    [{ 'howler.analytic': '' }, '[hit.howler.analytic] Empty strings are not allowed without defaults'],
    [{ tags: 'a' }, '[hit.tags] Expected a list, got str'],
    [{ tags: { a: 1 } }, '[hit.tags] Expected a list, got dict'],
    [{ tags: 1.5 }, '[hit.tags] Expected a list, got float'],
    [{ tags: [''] }, '[hit.tags] Empty strings are not allowed without defaults'],
    [{ agent: 'x' }, "'Agent' object must be constructed with dict like"],
    [{ 'howler.links': ['x'] }, "'Link' object must be constructed with dict like"],
    [
      { 'howler.links': [{ href: 'x', foo: 1 }] },
      '[hit.howler.links]: object was created with invalid parameters: foo',
    ],
    [{ nope: 1, other: 2 }, '[hit]: object was created with invalid parameters: nope, other'],
    [{ 'agent.id': { a: 1 } }, 'Hit was created with invalid parameters: agent.id.a'],
    [{ 'howler.score': 'x' }, "[hit.howler.score]: could not convert string to float: 'x'"],
    [{ 'howler.score': 'nan' }, "[hit.howler.score]: could not convert string to float: 'nan'"],
    [{ 'event.severity': '1.5' }, "[hit.event.severity]: invalid literal for int() with base 10: '1.5'"],
    [{ 'howler.hash': 'XY' }, "[hit.howler.hash]: 'XY' not match the validator: ^[a-f0-9]{1,64}$"],
    [
      { 'howler.status': 'x' },
      "[hit.howler.status] x not in the possible values: {'open', 'in-progress', 'on-hold', 'resolved'}",
    ],
    [{ 'event.start': '2025-02-30' }, '[hit.event.start]: day is out of range for month'],
    [{ 'url.domain': 'a b' }, "[hit.url.domain] 'a b' did not pass validation."],
    [{ 'user.email': 'a@b.zzzz' }, "[hit.user.email] 'b.zzzz' in email 'a@b.zzzz' is not a valid Domain."],
    [{ labels: { 'a.b': 'x' } }, '[hit.labels]: Illegal key a.b'],
    [
      { 'howler.log': [{ user: 'u' }] },
      'If no explanation provided, you must provide the following values: key,new_value,previous_value',
    ],
  ];
  for (const [input, message] of refusals) {
    it(`refuses ${JSON.stringify(input)}`, () => {
      assert.equal(refusal(() => readHit(input)).message, message);
    });
  }

  it('says where it is wrong', () => {
    assert.equal(refusal(() => readHit({ 'source.port': 'x' })).at, 'hit.source.port');
    assert.match(
      refusal(() => readHit({ 'source.port': 'x' }, { path: 'record' })).message,
      /^\[record\.source\.port\]/,
    );
  });

  it('finds the same error first regardless of the order of the keys', () => {
    const first = refusal(() => readHit({ 'howler.score': 'x', 'agent.foo': 1, tags: 'a' }));
    const second = refusal(() => readHit({ tags: 'a', 'agent.foo': 1, 'howler.score': 'x' }));
    assert.deepEqual(second, first);
  });

  it('leaves out unknown fields with or without a warning', () => {
    const input = {
      'howler.analytic': 'a',
      'howler.hash': 'a',
      foo: { bar: 1, deep: [{ x: 1 }] },
      'agent.nope': 2,
      'agent.id': 'x',
    };
    const warned = readDocument(hitDocument, input, { unknown: 'warn', classification });
    assert.deepEqual(warned.warnings, [
      'foo.bar is not currently used by howler.',
      'foo.deep.x is not currently used by howler.',
      'agent.nope is not currently used by howler.',
    ]);
    assert.equal('foo' in warned.document, false);
    assert.deepEqual(warned.document.agent, { id: 'x' });
    assert.deepEqual(readDocument(hitDocument, input, { unknown: 'drop', classification }).warnings, []);
  });

  it('warns of deprecated fields', () => {
    const input = { 'howler.analytic': 'a', 'howler.hash': 'a', cloud: { availability_zone: 'z' }, 'related.id': 'i' };
    assert.deepEqual(readDocument(hitDocument, input, { unknown: 'refuse', classification }).warnings, [
      'cloud.availability_zone is deprecated.',
      'related.id is deprecated.',
    ]);
  });

  it('ignores hidden fields that older answers carry', () => {
    const hit = readHit({ __access_lvl__: 500, _id: 'x', __index: 'event' });
    assert.equal('__access_lvl__' in hit, false);
    assert.equal(hit.__index, 'hit');
  });

  it('normalises classifications by the rules that it is given, and does not guess without', () => {
    assert.equal(readHit({ classification: 'tlp:amber' }).classification, 'TLP:AMBER');
    const options = { unknown: 'refuse' } as const;
    assert.throws(() => readDocument(hitDocument, { 'howler.analytic': 'a', 'howler.hash': 'a' }, options), /rules/);
  });

  it('keeps names that mean something on objects out', () => {
    const evil = JSON.parse('{"__proto__": {"polluted": 1}, "howler.analytic": "a", "howler.hash": "a"}');
    assert.match(refusal(() => readHit(evil)).message, /invalid parameters: __proto__/);
    for (const key of ['constructor', 'prototype', '__proto__']) {
      assert.match(refusal(() => readHit(JSON.parse(`{"labels": {"${key}": "x"}}`))).message, /Illegal key/);
      assert.match(refusal(() => readHit({ [`agent.${key}`]: 'x' })).message, /invalid parameters/);
      const user = {
        uname: 'u',
        name: 'n',
        password: 'p',
        apikeys: JSON.parse(`{"${key}": {"acl": [], "password": "x"}}`),
      };
      assert.match(
        refusal(() => readDocument(userDocument, user, { unknown: 'refuse', classification })).message,
        /Illegal key/,
      );
    }
    assert.equal(({} as { polluted?: number }).polluted, undefined);
  });

  it('refuses text that no datastore keeps', () => {
    for (const text of ['a\0b', 'a\ud800', '\udc00']) {
      assert.match(refusal(() => readHit({ message: text })).message, /cannot be stored/);
      assert.match(refusal(() => readHit({ tags: [text] })).message, /cannot be stored/);
      assert.match(refusal(() => readHit({ labels: { a: text } })).message, /cannot be stored/);
    }
  });

  it('refuses objects that lie 1,000 deep, wherever they are', () => {
    const deep = (kind: 'list' | 'object') => {
      let value: unknown = 'x';
      for (let level = 0; level < 1000; level += 1) value = kind === 'list' ? [value] : { a: value };
      return value;
    };
    for (const value of [deep('list'), deep('object')]) {
      for (const path of [
        'message',
        'tags',
        'labels',
        'howler',
        'howler.comment',
        'event.start',
        'howler.status',
        'source.ip',
        'file.size',
      ]) {
        refusal(() => readHit({ [path]: value }));
      }
      for (const unknown of ['refuse', 'warn'] as const) {
        refusal(() => readHit({ foo: value, 'agent.id': value }, { unknown }));
        refusal(() =>
          readHit(
            { 'howler.dossier': [{ label: { en: 'a', fr: 'b' }, format: 'f', content: 'c', metadata: value }] },
            { unknown },
          ),
        );
      }
    }
  });

  it('takes no longer for many unknown or deprecated keys than their number allows', () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`agent.k${index}`, index]));
    const started = performance.now();
    refusal(() => readHit(many));
    readHit(many, { unknown: 'warn' });
    readHit({ message: 'x'.repeat(5_000_000), 'howler.data': Array.from({ length: 100_000 }, () => 'x') });
    assert.ok(performance.now() - started < 20_000);
  });

  it('reads API keys and refuses what they do not have', () => {
    const user = { uname: 'u', name: 'n', password: 'p', 'apikeys.k': { acl: ['R'], password: 'x' } };
    const { document } = readDocument(userDocument, user, { unknown: 'refuse', classification });
    assert.deepEqual(document.apikeys, { k: { acl: ['R'], agents: [], password: 'x' } });
    const wrong = { ...user, 'apikeys.k': { acl: ['X'], password: 'x' } };
    assert.match(
      refusal(() => readDocument(userDocument, wrong, { unknown: 'refuse', classification })).message,
      /^\[user\.apikeys\.acl\] X not in/,
    );
  });

  it('holds case items, rules and pivots to the rules between their fields', () => {
    const readCase = (rest: object) =>
      readDocument(caseDocument, { title: 't', summary: 's', ...rest }, { unknown: 'refuse', classification }).document;
    assert.equal(readCase({ items: [{ type: 'folder', name: 'F', id: 'i' }] }).items?.[0]?.value, 'F');
    assert.match(
      refusal(() => readCase({ items: [{ type: 'case', value: 'c', parent: 'p' }] })).message,
      /^Case items must be root-level/,
    );
    const rule = { destination: 'd', query: 'q', author: 'a' };
    assert.match(
      refusal(() => readObject(caseRule, { ...rule, timeframe: '3' }, { unknown: 'refuse', path: 'caserule' })).message,
      /^Rule timeframe must be a positive integer/,
    );
    assert.equal(
      refusal(() => readObject(caseRule, { ...rule, indexes: ['case'] }, { unknown: 'refuse', path: 'caserule' }))
        .message,
      "[caserule.indexes] case not in the possible values: {'hit', 'event'}",
    );
    const pivot = { label: { en: 'e', fr: 'f' }, value: 'v', format: 'link' };
    const readDossier = (rest: object) =>
      readDocument(
        dossierDocument,
        { owner: 'o', title: 't', type: 'global', pivots: [{ ...pivot, ...rest }] },
        { unknown: 'refuse' },
      );
    const twice = [
      { key: 'k', field: 'a' },
      { key: 'k', field: 'b' },
    ];
    assert.equal(refusal(() => readDossier({ mappings: twice })).message, 'One of your pivots has duplicate keys set.');
    assert.match(refusal(() => readDossier({ group: 'a//b' })).message, /^A group must consist of a relative path/);
    assert.match(refusal(() => readDossier({ group: 5 })).message, /coerce is set to false/);
    assert.equal(readDossier({}).document.pivots[0]?.icon, 'material-symbols:link');
  });
});

describe('mergeDocument', () => {
  const stored = readHit({ tags: ['a'], 'agent.id': 'x', 'labels.k': 'v', 'howler.labels.generic': ['g'] });

  it('appends lists and merges objects field by field', () => {
    const merged = mergeDocument(
      hitDocument,
      stored,
      { tags: ['b'], agent: { name: 'n' }, 'howler.labels.generic': ['h'] },
      { replaceLists: false, classification },
    );
    assert.deepEqual(merged.tags, ['a', 'b']);
    assert.deepEqual(merged.agent, { id: 'x', name: 'n' });
    assert.deepEqual(merged.howler.labels?.generic, ['g', 'h']);
    assert.equal(merged.howler.id, stored.howler.id);
    assert.deepEqual(stored.tags, ['a']);
  });

  it('replaces lists when asked, and leaves out what it does not know', () => {
    const merged = mergeDocument(
      hitDocument,
      { ...stored, id: 'i', __access_lvl__: 1 },
      { tags: ['c'], foo: 1 },
      { replaceLists: true, classification },
    );
    assert.deepEqual(merged, { ...stored, tags: ['c'] });
  });

  it('refuses bad values with their path', () => {
    const options = { replaceLists: false, classification };
    assert.equal(
      refusal(() => mergeDocument(hitDocument, stored, { 'howler.score': 'bad' }, options)).message,
      "[hit.howler.score]: could not convert string to float: 'bad'",
    );
  });
});

describe('readFieldValue', () => {
  it('reads values, whole lists, items, members of mappings and objects', () => {
    assert.equal(readFieldValue(hitDocument, 'howler.score', '5'), 5);
    assert.deepEqual(readFieldValue(hitDocument, 'tags', ['a', 5]), ['a', '5']);
    assert.equal(readFieldValue(hitDocument, 'tags', 'a', { item: true }), 'a');
    assert.equal(readFieldValue(hitDocument, 'labels.owner', 5), '5');
    assert.deepEqual(readFieldValue(hitDocument, 'howler.links', { href: 'x' }, { item: true }), { href: 'x' });
    assert.deepEqual(readFieldValue(hitDocument, 'howler.outline', { threat: 't' }), { indicators: [], threat: 't' });
    assert.equal(readFieldValue(viewDocument, 'settings.display', null), null);
  });

  it('refuses unknown fields and bad values', () => {
    assert.throws(() => readFieldValue(hitDocument, 'howler.nope', 1), { code: 'unknown_field', at: 'howler.nope' });
    assert.throws(() => readFieldValue(hitDocument, 'howler.score.x', 1), { code: 'unknown_field' });
    assert.throws(() => readFieldValue(hitDocument, 'constructor', 1), { code: 'unknown_field' });
    assert.match(
      refusal(() => readFieldValue(hitDocument, 'howler.links', { nope: 1 }, { item: true })).message,
      /nope/,
    );
    assert.match(refusal(() => readFieldValue(hitDocument, 'message', { a: 1 })).message, /invalid parameters/);
  });
});
