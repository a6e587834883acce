import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { pathParameters } from '../../http/input/input-schemas.ts';
import { isMultipart, multipartParts } from '../../http/input/multipart-parts.ts';
import { parseJsonBody } from '../../http/input/request-body.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import type { AnalysisActor } from '../../identity/actor-factory.ts';
import { text } from '../../input/input-kinds.ts';
import { callerOf } from '../analysis-guard.ts';
import { Anything, EXAMPLE_CONTENT, EXAMPLE_IDS, operation } from '../operations/analysis-operation.ts';
import { submissionView } from '../submissions/submission-view.ts';
import type { Resubmissions } from './resubmissions.ts';
import type { SubmissionBodies, UnreadBody } from './submission-body.ts';
import type { SubmitService } from './submit-service.ts';

export interface SubmitRouteDependencies {
  readonly submit: SubmitService;
  readonly resubmissions: Resubmissions;
  readonly bodies: SubmissionBodies;
  /** Announces what remains of the daily quota of submissions, in a header of the answer. */
  readonly announceQuota: (actor: AnalysisActor, reply: FastifyReply) => Promise<void>;
}

/** Open to users who may submit files; not counted against their requests of the day. */
export const SUBMITTERS: GuardedAccess = {
  privileges: 'by_roles',
  roles: ['submission_create'],
  audit: true,
  quota: 'concurrent',
  readOnly: false,
};

const Details = {
  name: Type.Optional(Type.String({ description: 'Name of the file. Default: that of the upload, or its SHA-256.' })),
  metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Metadata by name.' })),
  params: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Parameters that are not the usual ones.' }),
  ),
  submission_profile: Type.Optional(Type.String({ description: 'Profile whose parameters are used.' })),
};

const Sources = {
  plaintext: Type.Optional(Type.String({ description: 'The file as text.', examples: [EXAMPLE_CONTENT] })),
  base64: Type.Optional(Type.String({ description: 'The file in Base64.' })),
  sha256: Type.Optional(Type.String({ description: 'Hash of a known file, or of one that a source has.' })),
  url: Type.Optional(Type.String({ description: 'Address that is submitted. It is not fetched.' })),
};

/** Returns the documentation of bodies that bring a file. */
export function submissionBodies(more: Readonly<Record<string, TSchema>> = {}): Readonly<Record<string, TSchema>> {
  const details = { ...Details, ...more };
  return {
    'application/json': Type.Object({ ...Sources, ...details }),
    'multipart/form-data': Type.Object({
      json: Type.Optional(
        Type.String({
          description: `JSON with ${Object.keys(details).join(', ')}. Before the file, it can lift the limit of its size.`,
        }),
      ),
      bin: Type.String({ format: 'binary', description: 'The file, with its name.' }),
    }),
  };
}

/** Returns the body of a route that streams it. */
export function unreadBody(request: FastifyRequest): UnreadBody {
  const isJson = request.headers['content-type']?.includes('application/json') === true;
  return {
    kind: isMultipart(request) ? 'form' : isJson ? 'json' : 'other',
    parts: (fieldSize) => multipartParts(request, { fieldSize }),
    content: request.raw,
    parseJson: parseJsonBody,
  };
}

const ByHash = { sha256: ['SHA-256 of a known file.', EXAMPLE_IDS.file] } as const;
const AgainQuery = Type.Object({
  copy_sid: Type.Optional(text({ description: 'Submission whose parameters, metadata and expiry are copied.' })),
  name: Type.Optional(text({ description: 'Name of the file. Default: its SHA-256.' })),
});

/** Serves `/api/v4/submit`: the analysis of a file that its sender waits for. */
export const submitRoutes =
  ({ submit, resubmissions, bodies, announceQuota }: SubmitRouteDependencies): RouteModule =>
  (app) => {
    app.post(
      '/api/v4/submit/',
      {
        access: SUBMITTERS,
        body: 'stream',
        refusal: {},
        schema: {
          ...operation('submit_submit', 'Submit a file', { reply: Anything, refusals: [404] }),
          streamed: submissionBodies(),
        },
      },
      async (request, reply) => {
        const actor = callerOf(request);
        const submission = await submit.submit(actor, (admitted) => bodies.read(unreadBody(request), admitted));
        await announceQuota(actor, reply);
        return submissionView(submission);
      },
    );

    app.get(
      '/api/v4/submit/dynamic/:sha256/',
      {
        access: SUBMITTERS,
        refusal: {},
        schema: operation('submit_resubmit_for_dynamic', 'Analyse a known file again, with dynamic analysis', {
          params: pathParameters(ByHash),
          querystring: AgainQuery,
          reply: Anything,
        }),
      },
      async (request, reply) => {
        const actor = callerOf(request);
        const { sha256 } = request.params;
        const { copy_sid: copySid, name } = request.query;
        const submission = await resubmissions.dynamic(actor, { sha256, copySid, name });
        await announceQuota(actor, reply);
        return submissionView(submission);
      },
    );

    app.put(
      '/api/v4/submit/:profile/:sha256/',
      {
        access: SUBMITTERS,
        refusal: {},
        schema: operation('submit_resubmit_with_profile', 'Analyse a known file again under a profile', {
          params: pathParameters({ profile: ['Name of the profile.', 'static'], ...ByHash }),
          querystring: AgainQuery,
          reply: Anything,
        }),
      },
      async (request, reply) => {
        const actor = callerOf(request);
        const { profile, sha256 } = request.params;
        const { copy_sid: copySid, name } = request.query;
        const submission = await resubmissions.withProfile(actor, profile, { sha256, copySid, name });
        await announceQuota(actor, reply);
        return submissionView(submission);
      },
    );

    app.get(
      '/api/v4/submit/resubmit/:sid/',
      {
        access: SUBMITTERS,
        refusal: {},
        schema: operation('submit_resubmit_submission_for_analysis', 'Repeat a submission', {
          params: pathParameters({ sid: ['Identifier of the submission.', EXAMPLE_IDS.submission] }),
          reply: Anything,
        }),
      },
      async (request, reply) => {
        const actor = callerOf(request);
        const submission = await resubmissions.repeat(actor, request.params.sid);
        await announceQuota(actor, reply);
        return submissionView(submission);
      },
    );
  };
