import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type as TypeBox } from 'typebox';
import { Type } from './type.ts';

/** The same schemas, made with one and with the other. */
const FORMS: Readonly<Record<string, (type: typeof Type) => unknown>> = {
  texts: (type) => [type.String(), type.String({ pattern: '^.+$', description: 'a text' })],
  numbers: (type) => [type.Integer({ minimum: 1, default: 5 }), type.Number(), type.Number({ maximum: 0.5 })],
  'other values': (type) => [
    type.Boolean({ default: true }),
    type.Null(),
    type.Unknown(),
    type.Unknown({ description: 'any' }),
  ],
  literals: (type) => [type.Literal('a'), type.Literal(5), type.Literal(true, { description: 'yes' })],
  lists: (type) => [type.Array(type.String()), type.Array(type.Array(type.Integer()), { maxItems: 2 })],
  choices: (type) => [
    type.Union([type.String(), type.Null()]),
    type.Union([type.Literal('a'), type.Literal('b')], { description: 'one of two' }),
  ],
  objects: (type) => [
    type.Object({}),
    type.Object({ id: type.String(), count: type.Optional(type.Integer({ default: 1 })) }),
    type.Object({ inner: type.Object({ id: type.Optional(type.String()) }) }, { additionalProperties: false }),
  ],
  'objects of optional members': (type) => [
    type.Object({ id: type.Optional(type.String()) }, { description: 'nothing has to be there' }),
    type.Object({ list: type.Array(type.Optional(type.String())) }),
  ],
  'copies of what is optional': (type) => {
    const count = type.Optional(type.Integer());
    return [type.Object({ count: { ...count } }), type.Object({ count }), type.Object({ count: type.Optional(count) })];
  },
  'the same schema required elsewhere': (type) => {
    const count = type.Integer();
    return [type.Object({ count: type.Optional(count) }), type.Object({ count })];
  },
  mappings: (type) => [
    type.Record(type.String(), type.Unknown()),
    type.Record(type.String(), type.Array(type.String()), { description: 'by name', default: {} }),
  ],
  'objects made partial': (type) => [
    type.Partial(type.Object({ id: type.String(), count: type.Optional(type.Integer()) })),
    type.Partial(
      type.Object(
        { id: type.String({ description: 'a name' }) },
        { additionalProperties: false, description: 'a change' },
      ),
    ),
  ],
  intersections: (type) => [
    type.Intersect([type.Object({ id: type.String() }), type.Record(type.String(), type.Unknown())], {
      description: 'both',
    }),
  ],
  'schemas of one’s own': (type) => [type.Unsafe({ anyOf: [{ type: 'string' }], title: 'mine' })],
};

describe('building JSON schemas', () => {
  for (const [name, make] of Object.entries(FORMS)) {
    it(`makes the same as TypeBox of ${name}`, () => {
      assert.deepEqual(JSON.stringify(make(Type), null, 1), JSON.stringify(make(TypeBox), null, 1));
    });
  }

  it('leaves what it was given as it was', () => {
    const whole = Type.Object({ id: Type.String() });
    const before = JSON.stringify(whole);
    Type.Partial(whole);
    Type.Optional(whole);
    assert.equal(JSON.stringify(whole), before);
    assert.deepEqual(JSON.parse(JSON.stringify(Type.Object({ whole }))).required, ['whole']);
  });
});
