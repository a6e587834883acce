import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ALL_DOCUMENTS } from '../all-documents.ts';
import { hitDocument } from '../kinds/hit.ts';
import { userDocument } from '../kinds/user.ts';
import type { DocumentDefinition } from './document-definition.ts';
import { defineDocument } from './document-definition.ts';
import { keyword } from './field-builders.ts';
import type { FieldSpec, GroupContent } from './field-spec.ts';
import { NEW_ID, UNRESTRICTED } from './field-spec.ts';

/** The fields of the public system, one a line: path, type, and what else holds. */
function expectedFields(name: string): string[] {
  // Users are shared with the analysis service, which knows more of them than the alert service does.
  const files = name === 'user' ? ['user-fields.txt', 'user-fields-of-analysis.txt'] : [`${name}-fields.txt`];
  return files
    .flatMap((file) =>
      readFileSync(new URL(`../../../test/documents/${file}`, import.meta.url), 'utf8')
        .trim()
        .split('\n'),
    )
    .sort();
}

/** Our fields in the same form. */
function describedFields(definition: DocumentDefinition<unknown>): string[] {
  const lines: string[] = [];
  const visit = (group: GroupContent, prefix: string) => {
    for (const [name, spec] of Object.entries(group.fields)) {
      if (spec.content.kind === 'group') visit(spec.content, `${prefix}${name}.`);
      else lines.push(describeField(`${prefix}${name}`, spec));
    }
  };
  visit(definition.root, '');
  return lines.sort();
}

function describeField(path: string, spec: FieldSpec): string {
  const { content } = spec;
  const values = content.kind === 'value' ? content.values : undefined;
  const fallback = spec.default === NEW_ID || spec.default === UNRESTRICTED ? undefined : spec.default;
  return [
    path,
    content.kind === 'value' ? content.type : 'mapping',
    spec.list && 'list',
    spec.optional && 'optional',
    !spec.indexed && 'unindexed',
    !spec.stored && 'unstored',
    spec.copyToText && 'text',
    spec.deprecated && 'deprecated',
    values !== undefined && `values=${[...values].sort().join(',')}`,
    fallback !== undefined && `default=${JSON.stringify(fallback)}`,
  ]
    .filter((word) => typeof word === 'string')
    .join(' ');
}

describe('document definitions', () => {
  for (const definition of ALL_DOCUMENTS) {
    // The public system stores pictures without a model, and does not know the other two.
    if (['user_avatar', 'installation', 'user_preferences'].includes(definition.name)) continue;
    it(`${definition.name} has the fields of the public system with their types, defaults and switches`, () => {
      assert.deepEqual(describedFields(definition as DocumentDefinition<unknown>), expectedFields(definition.name));
    });
  }

  it('names every field once', () => {
    for (const { name, fields } of ALL_DOCUMENTS) {
      const paths = fields.map(({ path }) => path);
      assert.deepEqual([...new Set(paths)], paths, name);
    }
  });

  it('describes every field in a sentence of its own', () => {
    const silent = ALL_DOCUMENTS.flatMap((definition) =>
      definition.fields.filter((field) => !/^\S.*\.$/.test(field.description)).map((field) => field.path),
    );
    assert.deepEqual(silent, []);
  });

  it('sorts by a field that it has', () => {
    for (const definition of ALL_DOCUMENTS) {
      for (const { field } of definition.defaultSort) assert.ok(definition.fieldByPath.has(field), field);
    }
  });

  it('adds the identifier, and the access fields where the kind is classified', () => {
    const added = (definition: DocumentDefinition<unknown>) =>
      definition.fields.filter((field) => !definition.ownFields.includes(field)).map((field) => field.path);
    assert.deepEqual(added(hitDocument as DocumentDefinition<unknown>), [
      'id',
      '__access_lvl__',
      '__access_req__',
      '__access_grp1__',
      '__access_grp2__',
    ]);
    assert.deepEqual(added(userDocument as DocumentDefinition<unknown>), ['id']);
  });

  it('knows which fields hold several values', () => {
    const multiValued = (path: string) => hitDocument.fieldByPath.get(path)?.multiValued;
    assert.equal(multiValued('tags'), true);
    assert.equal(multiValued('howler.comment.value'), true);
    assert.equal(multiValued('source.ip'), false);
  });

  it('searches nothing in fields that are not indexed', () => {
    assert.equal(userDocument.fieldByPath.get('password')?.searchKind, 'none');
    assert.equal(hitDocument.fieldByPath.get('source.bytes')?.searchKind, 'long');
  });

  it('refuses names of fields that do not exist', () => {
    const options = { name: 'thing', title: 'Thing', description: 'A thing.', idField: 'thing_id' };
    const fields = { name: keyword('Name.') };
    assert.throws(() => defineDocument({ ...options, fields }), /thing has no field thing_id/);
    assert.throws(() => defineDocument({ ...options, fields: { 'a.b': keyword('Name.') }, idField: 'a.b' }));
  });
});
