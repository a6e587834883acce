import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hitDocument } from '../../../documents/kinds/hit.ts';
import { readInput } from '../../../testing/read-input.ts';
import { mapRecord, unknownTargets } from './tool-mapping.ts';
import { ToolBody } from './tool-routes.ts';

const readFieldMap = (map: unknown) => readInput(ToolBody, { map, hits: [] }).map;

const map = (input: object, record: Record<string, unknown>, base: Record<string, unknown> = {}) =>
  mapRecord(hitDocument, readFieldMap(input), record, base);

describe('the map of a tool', () => {
  it('has lists of fields', () => {
    for (const input of [null, [], 'x']) assert.throws(() => readFieldMap(input), { code: 'invalid_map' });
    for (const input of [{ a: 'b' }, { a: [1] }]) {
      assert.throws(() => readFieldMap(input), { code: 'invalid_argument', at: /^map\.a/ });
    }
  });

  it('names fields of alerts, or objects with fields', () => {
    const targets = [
      'source.ip',
      'file.hash',
      'howler.links',
      'howler.is_bundle',
      'nope',
      'source.nope',
      'message.x',
      '',
    ];
    assert.deepEqual(unknownTargets(hitDocument, readFieldMap({ a: targets })), [
      'nope',
      'source.nope',
      'message.x',
      '',
    ]);
  });
});

describe('a record', () => {
  it('is read nested and flat', () => {
    const fields = { 'source.ip': '10.4.4.1' };
    assert.deepEqual(map({ 'src.ip': ['source.ip'] }, { src: { ip: '10.4.4.1' } }).fields, fields);
    assert.deepEqual(map({ 'src.ip': ['source.ip'] }, { 'src.ip': '10.4.4.1' }).fields, fields);
  });

  it('collects in lists what several sources have', () => {
    const { fields } = map({ a: ['related.ip'], b: ['related.ip'] }, { a: '10.4.4.1', b: ['10.4.4.2', '10.4.4.3'] });
    assert.deepEqual(fields, { 'related.ip': ['10.4.4.1', '10.4.4.2', '10.4.4.3'] });
  });

  it('gives the first of a list where one value belongs', () => {
    assert.deepEqual(map({ a: ['file.name'] }, { a: ['b.exe', 'c.exe'] }).fields, { 'file.name': 'b.exe' });
    assert.deepEqual(map({ a: ['file.name'] }, { a: [] }).fields, {});
  });

  it('gives whole objects', () => {
    assert.deepEqual(map({ h: ['file.hash'] }, { h: ['x'], 'h.md5': 'y' }).fields, { 'file.hash': 'x' });
  });

  it('leaves out what it does not have', () => {
    assert.deepEqual(map({ a: ['message'], toString: ['message'] }, { a: null }, { 'agent.type': 'T' }).fields, {
      'agent.type': 'T',
    });
  });

  it('may be the root of a bundle, which is not a field', () => {
    assert.deepEqual(map({ b: ['howler.is_bundle'] }, { b: true }), { fields: {}, isBundle: true });
    assert.deepEqual(map({ b: ['howler.hits'] }, { b: ['x'] }), { fields: {}, isBundle: false });
  });
});
