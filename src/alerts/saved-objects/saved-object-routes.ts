import { type TObject, type TSchema, type TString, type TUnsafe, Type } from 'typebox';
import { jsonSchema } from '../../documents/json-schema.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { pathParameters, RefreshQuery } from '../../http/input/input-schemas.ts';
import { NO_CONTENT, type RouteAccess, type RouteModule } from '../../http/route-access.ts';
import { type ExampleKind, idOf } from '../example-ids.ts';
import * as records from '../record-access.ts';
import { type FoundItem, itemOfV1 } from '../search/item-shape.ts';
import type { Json, SavedObjects } from './saved-objects.ts';

interface SavedObjectRoutes<T extends object> {
  readonly objects: SavedObjects<T>;
  /** The kind in summaries: `a view`. */
  readonly one: string;
  readonly listSummary: string;
  readonly changeSummary: string;
  readonly newBody: TUnsafe<Json>;
  readonly changeBody: TUnsafe<Json>;
  /** Default: those of most records. */
  readonly access?: Readonly<Record<'list' | 'create' | 'update' | 'delete', RouteAccess>>;
  readonly changeMethods?: readonly ('put' | 'patch')[];
  /** Name of the identifier in the path. Default `id`. */
  readonly parameter?: string;
  /** Shapes the items of lists. Default: as searches of version 1 do. */
  readonly shown?: (item: FoundItem & { readonly document: T }) => unknown;
  /** Schema of what `shown` returns. */
  readonly shownReply?: TSchema;
}

const ACCESS = { list: records.READ, create: records.CHANGE, update: records.CHANGE, delete: records.WRITE };

/** Registers `/api/v1/<kind>`: lists, creates, changes and deletes the saved objects of a kind. */
export function savedObjectRoutes<T extends object>(options: SavedObjectRoutes<T>): RouteModule {
  const { objects, one, newBody, changeBody, access = ACCESS, parameter = 'id' } = options;
  const { definition } = objects.kind;
  const { shown = (item) => itemOfV1(definition, item) } = options;
  const reply = jsonSchema(definition);
  const tags = [definition.name];
  const querystring = RefreshQuery;
  const path = `/api/v1/${definition.name}/`;
  const params = pathParameters({ [parameter]: idOf(definition.name as ExampleKind) }) as TObject<
    Record<string, TString>
  >;
  const changed = { tags, params, querystring };
  return (app) => {
    app.get(
      path,
      {
        access: access.list,
        schema: { tags, summary: options.listSummary, response: { 200: Type.Array(options.shownReply ?? reply) } },
      },
      async ({ actor }) => (await objects.list(actor)).map(shown),
    );
    app.post(
      path,
      {
        access: access.create,
        schema: { tags, summary: `Create ${one}`, querystring, body: newBody, response: { 201: reply } },
      },
      async ({ actor, body, query }) => toOutput(definition, await objects.create(actor, body, query.refresh)),
    );
    for (const method of options.changeMethods ?? ['put']) {
      app[method](
        `${path}:${parameter}`,
        {
          access: access.update,
          schema: { ...changed, summary: options.changeSummary, body: changeBody, response: { 200: reply } },
        },
        async ({ actor, params, body, query }) =>
          toOutput(definition, await objects.update(actor, params[parameter] ?? '', body, query.refresh)),
      );
    }
    app.delete(
      `${path}:${parameter}`,
      { access: access.delete, schema: { ...changed, summary: `Delete ${one}`, response: NO_CONTENT } },
      ({ actor, params, query }) => objects.delete(actor, params[parameter] ?? '', query.refresh),
    );
  };
}
