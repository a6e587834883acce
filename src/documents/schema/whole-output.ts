import type { DocumentDefinition } from './document-definition.ts';
import type { FieldSpec, GroupContent } from './field-spec.ts';
import { toOutput } from './output.ts';
import { isObject } from './plain-objects.ts';

/**
 * Returns a stored document as `toOutput` does, with null for each field that it lacks.
 * Clients of the analysis service compare whole documents and expect every field of the definition, except those that
 * are `leftOut`.
 */
export function wholeOutput<T>(definition: DocumentDefinition<T>, document: T): T {
  return wholeGroup(definition.root, toOutput(definition, document) as Readonly<Record<string, unknown>>) as T;
}

function wholeGroup(group: GroupContent, object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(group.fields)) {
    const value = object[name];
    if (spec.leftOut && (value === undefined || value === null)) continue;
    whole[name] = wholeField(spec, value);
  }
  return whole;
}

function wholeField({ content, list }: FieldSpec, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (content.kind !== 'group') return value;
  if (list && Array.isArray(value)) return value.map((item) => (isObject(item) ? wholeGroup(content, item) : item));
  return isObject(value) ? wholeGroup(content, value) : value;
}
