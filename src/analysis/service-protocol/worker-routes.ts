import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { untilAvailable } from '../../coordination/while-available.ts';
import { serviceDocument } from '../../documents/kinds/analysis/service.ts';
import { wholeOutput } from '../../documents/schema/whole-output.ts';
import { InvalidInput, isUnavailable } from '../../errors/errors.ts';
import type { FileContent } from '../../file-storage/file-storage.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import { isMultipart, multipartParts } from '../../http/input/multipart-parts.ts';
import type { Log } from '../../http/request-log.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import type { RegistrationMode, ServiceRegistry } from '../services/service-registry.ts';
import { protocolHeader, readWorker, requiredHeader } from './service-protocol-guard.ts';
import type { UploadHeaders, WorkerFiles } from './worker-files.ts';
import type { WorkerTasks } from './worker-tasks.ts';

/** Access of workers; the guard of the listener checks their key. */
export const WORKERS: GuardedAccess = { privileges: 'by_roles', roles: 'any', quota: false };

export interface WorkerRoutesDependencies {
  readonly registry: Pick<ServiceRegistry, 'register'>;
  readonly mode: RegistrationMode;
  readonly tasks: WorkerTasks;
  readonly files: WorkerFiles;
  readonly log: Pick<Log, 'warn'>;
}

/** Milliseconds that a call waits for servers: workers of the public system end after a refusal. */
const PATIENCE = 60_000;
/** Milliseconds after which a worker may send a file again that could not be stored. */
const REPETITION = 1000;
/** Longest wait for a task, in seconds. */
const MAX_WAIT = 120;
const ByHash = pathParameters({ sha256: ['SHA-256 of the file.', 'a'.repeat(64)] });
const Anything = Type.Unknown();

/** Serves registration, tasks and files to the workers of services (contract/analysis.md section 8). */
export const workerRoutes =
  ({ registry, mode, tasks, files, log }: WorkerRoutesDependencies): RouteModule =>
  (app) => {
    const ending = new AbortController();
    // Workers that wait for a task would keep the listener open for as long as they wait.
    app.addHook('preClose', async () => ending.abort());

    for (const method of ['put', 'post'] as const) {
      app[method](
        '/api/v1/service/register/',
        {
          access: WORKERS,
          schema: { summary: 'Register a service by its manifest', body: Anything },
        },
        async ({ body }, reply) => {
          const { keepAlive, newHeuristics, service } = await untilAvailable(
            () => registry.register(body, { mode, origin: 'protocol' }),
            { longest: PATIENCE, signal: closed(reply) },
          );
          return {
            keep_alive: keepAlive,
            new_heuristics: newHeuristics,
            service_config: wholeOutput(serviceDocument, service),
          };
        },
      );
    }

    app.get(
      '/api/v1/task/',
      {
        access: WORKERS,
        schema: { summary: 'Wait for a task, as long as the header Timeout says', refusals: [404] },
      },
      async (request, reply) => {
        const signal = AbortSignal.any([ending.signal, closed(reply)]);
        const task = await tasks.next(readWorker(request), waitOf(request), signal);
        return { task: task ?? false };
      },
    );

    app.post(
      '/api/v1/task/',
      {
        access: WORKERS,
        body: 'binary_json',
        schema: { summary: 'Deliver the result or the error of a task', body: Anything },
      },
      (request) => tasks.finish(readWorker(request), request.body),
    );

    app.get(
      '/api/v1/file/:sha256/',
      { access: WORKERS, schema: { summary: 'Download a file as it is', params: ByHash } },
      async ({ params: { sha256 } }, reply) => {
        const patience = { longest: PATIENCE, signal: closed(reply) };
        const { stream, length } = await untilAvailable(() => files.open(sha256), patience);
        reply.type('application/octet-stream').header('content-length', length);
        reply.header('content-disposition', `attachment; filename=file.bin; filename*=UTF-8''${sha256}`);
        return reply.send(stream);
      },
    );

    app.put(
      '/api/v1/file/',
      {
        access: WORKERS,
        body: 'stream',
        schema: { summary: 'Upload an extracted or supplementary file', streamed: { 'multipart/form-data': FileForm } },
      },
      async (request, reply) => {
        const headers = uploadHeaders(request);
        files.check(headers);
        try {
          await files.store(await uploadedFile(request), headers, closed(reply));
          return { success: true };
        } catch (error) {
          if (!isUnavailable(error)) throw error;
          // After any refusal, workers of the public system drop their result; without an answer they repeat.
          const { sha256 } = headers;
          log.warn({ err: error, sha256 }, 'a file of a worker cannot be stored now; its connection is closed');
          await sleep(REPETITION, undefined, { ref: false });
          reply.hijack();
          request.raw.socket.destroy();
          return reply;
        }
      },
    );
  };

const FileForm = Type.Object({ file: Type.String({ format: 'binary' }) });

/** Aborts when the caller has gone before the answer. */
function closed(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}

/** Returns milliseconds. @throws InvalidInput `invalid_timeout` */
function waitOf(request: FastifyRequest): number {
  const sent = protocolHeader(request, 'Timeout') ?? '30';
  const seconds = Number(sent);
  if (sent.trim() === '' || !Number.isFinite(seconds) || seconds < 0) {
    throw new InvalidInput('invalid_timeout', 'The header Timeout must be a number of seconds.', { at: 'Timeout' });
  }
  return Math.min(seconds, MAX_WAIT) * 1000;
}

function uploadHeaders(request: FastifyRequest): UploadHeaders {
  const flag = (name: string) => protocolHeader(request, name)?.trim().toLowerCase() === 'true';
  return {
    sha256: requiredHeader(request, 'Sha256'),
    classification: requiredHeader(request, 'Classification'),
    ttl: requiredHeader(request, 'Ttl').trim(),
    isSectionImage: flag('Is-Section-Image'),
    isSupplementary: flag('Is-Supplementary'),
  };
}

/** Returns the part `file` of a form, or the whole body. @throws InvalidInput `upload_missing` */
async function uploadedFile(request: FastifyRequest): Promise<FileContent> {
  if (!isMultipart(request)) return request.raw;
  const parts = multipartParts(request, { fieldSize: 1024 });
  for (;;) {
    const { value: part, done } = await parts.next();
    if (done || part === undefined) break;
    if (part.kind === 'file' && part.name === 'file') return part.content;
  }
  throw new InvalidInput('upload_missing', 'The form has no file with the name "file".');
}
