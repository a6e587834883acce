import { Type } from 'typebox';
import type { AnalysisRole } from '../../documents/kinds/analysis-roles.ts';
import { wholeOutput } from '../../documents/schema/whole-output.ts';
import { InvalidInput, NotFound } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { field, reading, refusing } from '../../input/input-kinds.ts';
import {
  ANYONE,
  Anything,
  EXAMPLE_CLASSIFICATION,
  EXAMPLE_IDS,
  operation,
  Success,
} from '../operations/analysis-operation.ts';
import type { ListKind } from './list-kind.ts';
import type { ListService } from './list-service.ts';
import { digestOf } from './listed-values.ts';

export interface ListRouteDependencies<T extends object> {
  readonly kind: ListKind<T>;
  readonly list: ListService<T>;
}

/** Access of those who see, and of those who change a list. */
export function listAccess(name: 'safelist' | 'badlist'): {
  readonly view: GuardedAccess;
  readonly manage: GuardedAccess;
} {
  const counted = { ...ANYONE, quota: true, audit: true } as const;
  const roles = (right: 'view' | 'manage'): readonly AnalysisRole[] => [`${name}_${right}`];
  return {
    view: { ...counted, roles: roles('view') },
    manage: { ...counted, roles: roles('manage'), readOnly: false },
  };
}

export const ByHash = pathParameters({
  qhash: ['Identifier of the entry: its best hash, or the digest of a value.', EXAMPLE_IDS.file],
});
const ByTag = pathParameters({
  tag_type: ['Type of the tag.', 'network.static.domain'],
  tag_value: ['Value of the tag.', 'example.com'],
});
const BySource = pathParameters({
  qhash: ['Identifier of the entry.', EXAMPLE_IDS.file],
  source: ['Name of the source.', 'admin'],
  stype: ['Kind of source: `user` or `external`.', 'user'],
});
const SOURCE = { classification: EXAMPLE_CLASSIFICATION, name: 'admin', reason: ['Known'], type: 'user' };
const ENTRY = { type: 'file', hashes: { sha256: EXAMPLE_IDS.file }, sources: [SOURCE] };
const EntryBody = Type.Unsafe<object>(
  Type.Object({}, { additionalProperties: true, description: 'Entry with its sources.', examples: [ENTRY] }),
);
const EntriesBody = refusing(
  Type.Array(field(Type.Object({}, { additionalProperties: true })), { examples: [[ENTRY]] }),
  () => new InvalidInput('invalid_list', 'Could not get the list of hashes', { response: null }),
);
/** Strings count as in Python: all but the empty one are true, and so is not the word `false`. */
const Enabled = refusing(
  reading(Type.Boolean({ description: 'Whether it counts.', examples: [true] }), {
    accept: (value) => {
      if (typeof value === 'string') return !['', 'false', '0'].includes(value.toLowerCase());
      return typeof value === 'object' ? value : Boolean(value);
    },
  }),
  () => new InvalidInput('invalid_body', 'The body must be true or false.', { response: null }),
);
const EXPIRY = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const wrongDate = () =>
  new InvalidInput('invalid_date', 'Invalid date format, must match ISO9660 format (0000-00-00T00:00:00.000000Z)', {
    response: null,
  });
const Expiry = refusing(
  Type.String({
    pattern: EXPIRY.source,
    description: 'When it is deleted.',
    examples: ['2099-01-02T03:04:05.000000Z'],
  }),
  wrongDate,
);
const Added = Type.Object({ success: Type.Boolean(), op: Type.String(), hash: Type.String() });
const AddedMany = Type.Object({
  success: Type.Integer(),
  errors: Type.Union([Type.Boolean(), Type.Array(Type.Unknown())]),
});
/** Lengths of identifiers in hexadecimal digits. */
const LENGTHS: ReadonlySet<number> = new Set([32, 40, 64]);

/** Serves what both lists have in common (contract/analysis.md section 6, safelist and badlist). */
export const listRoutes =
  <T extends object>({ kind, list }: ListRouteDependencies<T>): RouteModule =>
  (app) => {
    const { name, definition } = kind;
    const base = `/api/v4/${name}`;
    const { view, manage } = listAccess(name);

    for (const method of ['put', 'post'] as const) {
      const suffix = method === 'put' ? '' : '_by_post';
      app[method](
        `${base}/`,
        {
          access: { ...manage, audit: false },
          schema: operation(`${name}_add_or_update_hash${suffix}`, `Put something on the ${name}, or add to it`, {
            body: EntryBody,
            reply: Added,
          }),
          refusal: null,
        },
        async ({ actor, body }) => {
          const { id, operation: op } = await list.add(actor, body);
          return { success: true, op, hash: id };
        },
      );
      app[method](
        `${base}/add_update_many/`,
        {
          access: { ...manage, audit: false },
          schema: operation(`${name}_add_update_many_hashes${suffix}`, `Put many things on the ${name}`, {
            body: EntriesBody,
            reply: AddedMany,
          }),
          refusal: null,
        },
        async ({ actor, body }) => {
          const success = await list.addMany(actor, body);
          // The public system answers a list for nothing, and no list for no failure.
          return { success, errors: success === 0 ? [] : false };
        },
      );
    }

    app.get(
      `${base}/:qhash/`,
      {
        access: view,
        schema: operation(`${name}_check_hash_exists`, `Get an entry of the ${name}`, {
          params: ByHash,
          reply: Anything,
        }),
        refusal: null,
      },
      async ({ actor, params: { qhash } }) => {
        if (name === 'safelist' && !LENGTHS.has(qhash.length)) throw wrongLength();
        return found(await list.get(qhash, actor.searchAccess));
      },
    );
    app.get(
      `${base}/:tag_type/:tag_value/`,
      {
        access: view,
        schema: operation(`${name}_check_tag_exists`, `Get the entry of a tag on the ${name}`, {
          params: ByTag,
          reply: Anything,
        }),
        refusal: null,
      },
      async ({ actor, params: { tag_type: type, tag_value: value } }) =>
        found(await list.get(digestOf(type, value), actor.searchAccess)),
    );

    app.put(
      `${base}/enable/:qhash/`,
      {
        access: manage,
        schema: operation(`${name}_set_hash_status`, 'Switch an entry on or off', {
          params: ByHash,
          body: Enabled,
          reply: Success,
        }),
        refusal: null,
      },
      async ({ actor, params: { qhash }, body }) => ({
        success: await list.setEnabled(actor, qhash, body),
      }),
    );
    app.put(
      `${base}/expiry/:qhash/`,
      {
        access: manage,
        schema: operation(`${name}_set_expiry`, 'Set when an entry is deleted', {
          params: ByHash,
          body: Expiry,
          reply: Success,
        }),
        refusal: null,
      },
      async ({ actor, params: { qhash }, body }) => {
        if (Number.isNaN(Date.parse(body))) throw wrongDate();
        return { success: await list.setExpiry(actor, qhash, body) };
      },
    );
    app.delete(
      `${base}/expiry/:qhash/`,
      {
        access: manage,
        schema: operation(`${name}_clear_expiry`, 'Keep an entry for good', { params: ByHash, reply: Success }),
        refusal: null,
      },
      async ({ actor, params: { qhash } }) => ({ success: await list.setExpiry(actor, qhash, undefined) }),
    );
    app.put(
      `${base}/classification/:qhash/:source/:stype/`,
      {
        access: manage,
        schema: operation(`${name}_set_classification`, 'Classify a source of an entry', {
          params: BySource,
          body: Type.String({ description: 'Classification of the source.', examples: [EXAMPLE_CLASSIFICATION] }),
          reply: Success,
        }),
        refusal: null,
      },
      ({ actor, params: { qhash, source, stype: type }, body }) =>
        list.classifySource(actor, qhash, { source, type }, body),
    );
    app.delete(
      `${base}/source/:qhash/:source/:stype/`,
      {
        access: manage,
        schema: operation(`${name}_remove_source`, 'Remove a source of an entry', { params: BySource, reply: Success }),
        refusal: null,
      },
      ({ actor, params: { qhash, source, stype: type } }) => list.removeSource(actor, qhash, { source, type }),
    );
    app.delete(
      `${base}/:qhash/`,
      {
        access: manage,
        schema: operation(`${name}_delete_hash`, `Take something off the ${name}, or what the caller said of it`, {
          params: ByHash,
          reply: Success,
        }),
        refusal: null,
      },
      async ({ actor, params: { qhash } }) => ({ success: await list.delete(actor, qhash) }),
    );

    function found(entry: T | undefined) {
      if (entry !== undefined) return wholeOutput(definition, entry);
      const message = `The hash was not found in the ${name}.`;
      throw new NotFound('list_entry_missing', message, { response: null });
    }
  };

function wrongLength(): InvalidInput {
  return new InvalidInput('invalid_hash_length', 'Invalid hash length', { response: null });
}
