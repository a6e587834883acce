import { Type } from 'typebox';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import { multipartParts } from '../../http/input/multipart-parts.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { documentOf, text } from '../../input/input-kinds.ts';
import { callerOf } from '../analysis-guard.ts';
import type { BundleImport } from '../bundles/bundle-import.ts';
import { EXAMPLE_CONTENT, operation } from '../operations/analysis-operation.ts';
import type { SubmitService } from '../submit/submit-service.ts';
import { ChunkedUploads } from './chunked-uploads.ts';

export interface UploadRouteDependencies {
  readonly uploads: ChunkedUploads;
  readonly submit: Pick<SubmitService, 'submit'>;
  readonly bundles: Pick<BundleImport, 'isBundle' | 'importFile'>;
}

const UPLOADERS: GuardedAccess = {
  privileges: 'by_roles',
  roles: ['submission_create'],
  quota: 'concurrent',
  readOnly: false,
};
/** Bytes of a field of the form. */
const MAX_FIELD_SIZE = 16_384;
const MAX_NUMBER = 10_000_000_000_000;
const MISSING =
  'Required arguments missing. flowChunkNumber, flowIdentifier, flowCurrentChunkSize, flowFilename and flowTotalChunks should always be present.';

/** Identifier of an upload in examples. */
const UPLOAD = 'a0b1c2';
const ChunkQuery = Type.Object({
  flowChunkNumber: Type.Optional(text({ description: 'Number of the chunk, from 1.', examples: ['1'] })),
  flowChunkSize: Type.Optional(text({ description: 'Usual size of the chunks in bytes.', examples: ['1048576'] })),
  flowCurrentChunkSize: Type.Optional(text({ description: 'Size of this chunk.', examples: ['11'] })),
  flowTotalSize: Type.Optional(text({ description: 'Size of the file.', examples: ['11'] })),
  flowTotalChunks: Type.Optional(text({ description: 'Number of chunks of the file.', examples: ['1'] })),
  flowIdentifier: Type.Optional(text({ description: 'Identifier of the upload.', examples: [UPLOAD] })),
  flowFilename: Type.Optional(text({ description: 'Name of the file.', examples: ['invoice.pdf'] })),
});
const ChunkForm = Type.Object({
  ...ChunkQuery.properties,
  flowRelativePath: Type.Optional(text()),
  file: Type.String({ format: 'binary', description: 'The chunk.', examples: [EXAMPLE_CONTENT] }),
});
const StartBody = documentOf(
  { filename: Type.Optional(text({ description: 'Name of the file. Default: the identifier of the upload.' })) },
  {
    description: 'As for a submission: params or ui_params, metadata, submission_profile.',
    examples: [{ filename: 'invoice.pdf', ui_params: {} }],
  },
);

/** Serves uploads in chunks (flow.js) and starts what they brought (contract/analysis.md section 6). */
export const uploadRoutes =
  ({ uploads, submit, bundles }: UploadRouteDependencies): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/ui/flowjs/',
      {
        access: { ...UPLOADERS, xsrf: false },
        schema: {
          ...operation('ui_flowjs_check_chunk', 'Ask whether a chunk is there', {
            querystring: ChunkQuery,
            refusals: [412],
          }),
          description: 'Answers 204 when the chunk has to be sent.',
          response: { 200: Type.Object({ exist: Type.Boolean() }), 204: {} },
        },
      },
      async ({ actor, query }, reply) => {
        const exist = await uploads.has(actor.username, placeOf(query));
        reply.code(exist ? 200 : 204);
        return { exist };
      },
    );

    app.post(
      '/api/v4/ui/flowjs/',
      {
        access: { ...UPLOADERS, xsrf: false },
        body: 'stream',
        schema: {
          ...operation('ui_flowjs_upload_chunk', 'Upload a chunk', {
            reply: Type.Object({ success: Type.Boolean(), completed: Type.Boolean() }),
            refusals: [412, 413],
          }),
          streamed: { 'multipart/form-data': ChunkForm },
        },
      },
      async (request) => {
        const fields: Record<string, string> = {};
        for await (const part of multipartParts(request, { fieldSize: MAX_FIELD_SIZE })) {
          if (part.kind === 'field') fields[part.name] = part.value;
          else if (part.name === 'file') {
            // flow.js sends the fields first, and without them there is no place for the chunk.
            const place = placeOf(fields);
            const totalSize = numberOf(fields, 'flowTotalSize', 0);
            const completed = await uploads.store(request.actor.username, { ...place, totalSize }, part.content);
            return { success: true, completed };
          }
        }
        throw new InvalidInput('chunk_missing', 'The form has no chunk: send it as the part "file".', { at: 'file' });
      },
    );

    app.post(
      '/api/v4/ui/start/:ui_sid/',
      {
        access: UPLOADERS,
        schema: operation('ui_start_ui_submission', 'Submit a file that was uploaded in chunks, or import a bundle', {
          params: pathParameters({ ui_sid: ['Identifier of the upload.', UPLOAD] }),
          body: StartBody,
          reply: Type.Object({ started: Type.Boolean(), sid: Type.Union([Type.String(), Type.Null()]) }),
          refusals: [404, 409, 413],
        }),
      },
      async (request) => {
        const actor = callerOf(request);
        const identifier = ChunkedUploads.identifierOf(request.params.ui_sid);
        const { filename: name = identifier, ...json } = request.body;
        let isAssembled = false;
        try {
          const { sid } = await submit.submit(actor, async ({ held, draft }) => {
            const file = held.hold(await uploads.assemble(actor.username, identifier));
            isAssembled = true;
            if (await bundles.isBundle(file)) {
              const options = { ...BUNDLE_OPTIONS, ttl: ttlOf(json) };
              throw new BundleImported(await bundles.importFile(actor, file, options));
            }
            return { draft: await draft(json), file: { kind: 'received', file, name } };
          });
          return { started: true, sid };
        } catch (error) {
          if (error instanceof BundleImported) return { started: true, sid: error.sid ?? null };
          throw error;
        } finally {
          // Of a refused file nothing stays; a caller whose quota is used up tries again.
          if (isAssembled) await uploads.remove(actor.username, identifier);
        }
      },
    );
  };

/** Ends the admission of an upload that starts no analysis; the slot of the quota is given back. */
class BundleImported extends Error {
  readonly sid: string | undefined;

  constructor(sid: string | undefined) {
    super('a bundle was imported');
    this.sid = sid;
  }
}

/** A bundle that people upload is taken as it is. */
const BUNDLE_OPTIONS = {
  minClassification: undefined,
  allowIncomplete: true,
  existOk: false,
  rescanServices: [],
  toIngest: false,
  completeQueue: undefined,
};

/** Returns the days that a bundle is kept. @throws InvalidInput `invalid_submission` */
function ttlOf({ ui_params, params }: Readonly<Record<string, unknown>>): number | undefined {
  const given = [ui_params, params].find(isObject)?.ttl ?? undefined;
  if (given === undefined || (typeof given === 'number' && Number.isInteger(given) && given >= 0)) return given;
  throw new InvalidInput('invalid_submission', 'ttl must be a whole number of days from 0.', { at: 'ttl' });
}

/** @throws InvalidInput `upload_arguments_missing`, `invalid_chunk` */
function placeOf(given: Readonly<Record<string, string | undefined>>) {
  const { flowIdentifier: identifier, flowFilename: name, flowTotalChunks: total } = given;
  if (!identifier || !name || !total || !given.flowChunkNumber || !given.flowCurrentChunkSize) {
    throw new InvalidInput('upload_arguments_missing', MISSING);
  }
  return {
    identifier: ChunkedUploads.identifierOf(identifier),
    number: numberOf(given, 'flowChunkNumber', 1),
    total: numberOf(given, 'flowTotalChunks', 1),
  };
}

function numberOf(given: Readonly<Record<string, string | undefined>>, name: string, minimum: number): number {
  const value = given[name] ?? '';
  const number = /^\d{1,14}$/.test(value) ? Number(value) : -1;
  if (number >= minimum && number <= MAX_NUMBER) return number;
  const message = `The argument ${name} must be a whole number from ${minimum}, not "${value.slice(0, 40)}".`;
  throw new InvalidInput('invalid_chunk', message, { at: name });
}
