import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { hitDocument } from '../../../documents/kinds/hit.ts';
import { readDocument } from '../../../documents/schema/read-document.ts';
import { isTriadError } from '../../../errors/errors.ts';
import {
  type AlertServices,
  anActor,
  openAlertServices,
  testClassification,
} from '../../../testing/alerts/alert-services.ts';
import { OPERATIONS, readOperations } from './update-requests.ts';

const ana = anActor();

let services: AlertServices;
before(async () => {
  services = await openAlertServices();
});
after(() => services.close());

const NUMBER = ['SET', 'INC', 'DEC', 'MAX', 'MIN'];
const TEXT = ['SET', 'MAX', 'MIN'];
const LIST = ['APPEND', 'APPEND_IF_MISSING', 'REMOVE'];
/** Fields of every kind, with operations and values that fit them, or nearly. */
const FITTING: readonly (readonly [string, readonly string[], readonly unknown[]])[] = [
  ['howler.score', NUMBER, [0, 1.5, -2, '3', 3e38, null]],
  ['event.severity', NUMBER, [1, 2_147_483_647, -2_147_483_648, '7', null]],
  ['source.bytes', NUMBER, [1, 2 ** 52, '9007199254740993', null]],
  ['event.start', TEXT, ['2025-01-05', 1_700_000_000, 'NOW', null]],
  ['message', TEXT, ['a', '', null]],
  ['tags', LIST, ['a', 'b', null]],
  ['tags', ['SET'], [['a', 'b'], [], null, 'a']],
  ['tags', ['DELETE'], [0, 1, 99, -1]],
  ['related.ip', LIST, ['10.0.0.1', '::1', 'nowhere']],
  ['labels', ['SET', 'DELETE'], ['k', { k: 'v' }, null]],
  ['labels.k', ['SET', 'MAX'], ['v', null]],
  ['howler.comment', LIST, [{ value: 'v', user: 'u' }, {}]],
  ['howler.comment', ['SET', 'DELETE'], [[{ value: 'v', user: 'u' }], 0]],
  ['howler.links', LIST, [{ href: 'h' }]],
  ['howler.log', [...LIST, 'DELETE'], [{ timestamp: 'NOW', user: 'u', explanation: 'e' }, 0]],
  ['howler.outline', ['SET'], [{ threat: 't', indicators: ['i'] }, {}, null]],
  ['howler.outline.indicators', LIST, ['i', 'j']],
  ['howler.escalation', TEXT, ['hit', 'alert', null]],
  ['howler.votes', ['SET'], [{ benign: ['a'] }, null]],
  ['howler.votes.benign', LIST, ['a@x.example']],
];
const fitting = fc
  .constantFrom(...FITTING)
  .chain(([path, operations, values]) =>
    fc.tuple(fc.constantFrom(...operations), fc.constant(path), fc.constantFrom(...values)),
  );
const anything = fc.tuple(
  fc.constantFrom<string>(...OPERATIONS),
  fc.constantFrom(...hitDocument.fields.map((field) => field.path)),
  fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(...FITTING.flatMap(([, , values]) => values))),
);
const operation = fc.oneof({ weight: 9, arbitrary: fitting }, { weight: 1, arbitrary: anything });

describe('operations on an alert', () => {
  it('leave an alert that reads as itself, or are refused and leave it as it was', async () => {
    const { howler } = await services.aHit(ana, { tags: ['a', 'b'], 'event.severity': 5, labels: { k: 'v' } });
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 3 }), async (operations) => {
        const before = await services.store.get(ana, howler.id);
        try {
          const { document } = await services.service.update(ana, howler.id, readOperations(operations), 'soon');
          const read = readDocument(hitDocument, document, { unknown: 'refuse', classification: testClassification });
          assert.deepEqual(read.document, document);
          assert.equal(document.howler.id, howler.id);
          accepted += 1;
        } catch (error) {
          assert.ok(isTriadError(error) && error.kind === 'invalid_input', String(error));
          assert.deepEqual(await services.store.get(ana, howler.id), before);
        }
      }),
      { numRuns: 400, examples: [[[['SET', 'source.geo.location.lon', 0]]]] },
    );
    assert.ok(accepted > 50, `only ${accepted} of 400 were accepted`);
  });
});
