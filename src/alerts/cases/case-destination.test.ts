import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DestinationTemplate } from './case-destination.ts';

const hit = {
  howler: { id: 'h1', analytic: 'Mail & Web', labels: { generic: ['a', 'b'] } },
  tags: ['x', 'y'],
  event: { provider: 'edr/linux' },
};
const at = (template: string, record: object = hit) => new DestinationTemplate(template).of(record);

describe('the destination of a record in a case', () => {
  it('names fields by their dotted path, and takes them as they are', () => {
    assert.deepEqual(at('related/{{howler.analytic}} ({{howler.id}})'), {
      folders: ['related'],
      name: 'Mail & Web (h1)',
    });
    assert.deepEqual(at('{{&howler.analytic}}'), at('{{howler.analytic}}'));
  });

  it('is a name alone, or folders alone', () => {
    assert.deepEqual(at('{{howler.id}}'), { folders: [], name: 'h1' });
    assert.deepEqual(at('a//b/'), { folders: ['a', 'b'], name: undefined });
    assert.deepEqual(at('{{howler.detection}}'), { folders: [], name: undefined });
  });

  it('makes folders of slashes in fields', () => {
    assert.deepEqual(at('{{event.provider}}/{{howler.id}}'), { folders: ['edr', 'linux'], name: 'h1' });
  });

  it('shows lists item by item, and objects not at all', () => {
    assert.equal(at('{{tags}}').name, 'x, y');
    assert.equal(at('-{{howler}}-').name, '--');
    assert.equal(at('{{#howler.labels.generic}}[{{.}}{{howler.id}}]{{/howler.labels.generic}}').name, '[ah1][bh1]');
    assert.equal(at('{{^howler.detection}}none{{/howler.detection}}').name, 'none');
  });

  it('reaches nothing but the record', () => {
    for (const name of ['constructor', 'toString', 'tags.pop', '__proto__', '__defineGetter__']) {
      assert.equal(at(`-{{${name}}}-`).name, '--', name);
      assert.equal(at(`{{#${name}}}x{{/${name}}}-`).name, '-', name);
    }
  });

  it('refuses what is not a template', () => {
    for (const template of ['{{#a}}', '{{a', '{{#a}}{{/b}}', 'x'.repeat(1001)]) {
      assert.throws(() => new DestinationTemplate(template), { code: 'invalid_destination' }, template);
    }
  });

  it('refuses what grows without bounds', () => {
    const tags = Array.from({ length: 100 }, () => 'x');
    const nested = '{{#tags}}'.repeat(5) + '{{/tags}}'.repeat(5);
    assert.throws(() => at(nested, { tags }), { code: 'invalid_destination' });
    assert.throws(() => at('{{long}}', { long: 'x'.repeat(1001) }), { code: 'invalid_destination' });
    assert.throws(() => at('{{deep}}', { deep: 'a/'.repeat(21) }), { code: 'invalid_destination' });
  });
});
