import { type TObject, type TSchema, type TString, type TUnsafe, Type } from 'typebox';
import { jsonSchema } from '../../documents/json-schema.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { pathParameters, RefreshQuery } from '../../http/input/input-schemas.ts';
import {
  answerNotModified,
  CHANGES_VERSION,
  requestedVersion,
  VersionQuery,
} from '../../http/input/record-versions.ts';
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
  readonly access?: Readonly<Record<'list' | 'get' | 'create' | 'update' | 'delete', RouteAccess>>;
  /** True: answers of a single object always have its version. Default false: where it is asked for. */
  readonly alwaysVersioned?: boolean;
  readonly changeMethods?: readonly ('put' | 'patch')[];
  /** Name of the identifier in the path. Default `id`. */
  readonly parameter?: string;
  /** Shapes the items of lists. Default: as searches of version 1 do. */
  readonly shown?: (item: FoundItem & { readonly document: T }) => unknown;
  /** Shapes the answer of a single object. Default: as other routes do. */
  readonly shownAlone?: (item: FoundItem & { readonly document: T }) => unknown;
  /** Schema of what `shown` and `shownAlone` return. */
  readonly shownReply?: TSchema;
}

const ACCESS = {
  list: records.READ,
  get: records.READ,
  create: records.CHANGE,
  update: records.CHANGE,
  delete: records.WRITE,
};

/** Registers `/api/v1/<kind>`: lists, reads, creates, changes and deletes the saved objects of a kind. */
export function savedObjectRoutes<T extends object>(options: SavedObjectRoutes<T>): RouteModule {
  const { objects, one, newBody, changeBody, access = ACCESS, parameter = 'id' } = options;
  const { definition } = objects.kind;
  const { shown = (item) => itemOfV1(definition, item) } = options;
  const { shownAlone = ({ document }) => toOutput(definition, document) } = options;
  const reply = jsonSchema(definition);
  const shownReply = options.shownReply ?? reply;
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
        schema: { tags, summary: options.listSummary, response: { 200: Type.Array(shownReply) } },
      },
      async ({ actor }) => (await objects.list(actor)).map(shown),
    );
    app.get(
      `${path}:${parameter}`,
      {
        access: access.get,
        schema: {
          tags,
          summary: `Get ${one}`,
          params,
          querystring: VersionQuery,
          response: { 200: shownReply, 304: {} },
        },
      },
      async (request, response) => {
        const id = request.params[parameter] ?? '';
        const { document, version } = await objects.get(request.actor, id);
        const isVersioned = options.alwaysVersioned === true || request.query.versioned;
        if (isVersioned && answerNotModified(request, response, version)) return undefined;
        return shownAlone({ id, document });
      },
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
          schema: {
            ...changed,
            summary: options.changeSummary,
            ...CHANGES_VERSION,
            body: changeBody,
            response: { 200: reply },
          },
        },
        // No version in the answer: the pages of the public system would send it back (see `VersionQuery`).
        async (request) => {
          const { actor, params, body, query } = request;
          const id = params[parameter] ?? '';
          return toOutput(definition, await objects.update(actor, id, body, query.refresh, requestedVersion(request)));
        },
      );
    }
    app.delete(
      `${path}:${parameter}`,
      { access: access.delete, schema: { ...changed, summary: `Delete ${one}`, response: NO_CONTENT } },
      ({ actor, params, query }) => objects.delete(actor, params[parameter] ?? '', query.refresh),
    );
  };
}
