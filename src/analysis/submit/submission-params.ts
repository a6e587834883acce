import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Settings } from '../../config/config-schema.ts';
import { MAX_PRIORITY, type SubmissionParams, submissionParams } from '../../documents/kinds/analysis/submission.ts';
import { FILE_KINDS } from '../../documents/kinds/file-kinds.ts';
import type { UserSettings } from '../../documents/kinds/user-records.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { readObject } from '../../documents/schema/read-document.ts';
import { Forbidden, InvalidInput, isTriadError } from '../../errors/errors.ts';
import type { AnalysisActor } from '../../identity/actor-factory.ts';
import { type SubmissionProfile, storedProfiles } from '../users/submission-profiles.ts';
import { differingValues, mergeValues, type Values, withoutNulls } from './nested-values.ts';
import { invalidSubmission, type SubmissionRequest } from './submission-request.ts';

/** The submitter, with the parts of their account that parameters depend on. */
export interface Submitter {
  readonly actor: Pick<AnalysisActor, 'username' | 'roles' | 'groups' | 'classification'>;
  readonly organization: string | undefined;
  readonly settings: Readonly<UserSettings> | undefined;
}

/** A service that is switched on. */
export interface SelectableService {
  readonly name: string;
  readonly category: string;
}

export interface ParamsDependencies {
  readonly classification: ClassificationEngine;
  readonly settings: Pick<Settings['analysis'], 'submission' | 'core' | 'ui'>;
  readonly profiles: ReadonlyMap<string, SubmissionProfile>;
}

export interface ParamsRequest extends Pick<SubmissionRequest, 'params' | 'profile' | 'type'> {
  readonly services: readonly SelectableService[];
  /** `ingest`: files that come in bulk, whose priority and limits are lower. */
  readonly endpoint: 'submit' | 'ingest';
}

/** Farthest expiry in days, so that its date has a year of four digits. */
const MAX_TTL = 1_000_000;
const OWN_PROFILE = 'default';
const KNOWN_TYPES: ReadonlySet<string> = new Set(FILE_KINDS);
/** Stands for the description until the name of the file is known. */
const NO_DESCRIPTION = '-';

/** Resolved parameters. `hasDescription` is false where the description is made of the file's name. */
export interface ResolvedParams {
  readonly params: SubmissionParams;
  readonly hasDescription: boolean;
}

/**
 * Returns the parameters of a submission: those of the request over the profile, the settings of the
 * submitter and the defaults (contract/analysis.md section 3.2).
 * @throws InvalidInput `submission_profile_required`, `submission_profile_missing`, `parameter_restricted`,
 * `invalid_submission`, `invalid_document`; Forbidden `submission_profile_forbidden`
 */
export function resolveParams(
  dependencies: ParamsDependencies,
  submitter: Submitter,
  request: ParamsRequest,
): ResolvedParams {
  const { settings, classification } = dependencies;
  const values = mergeValues(usualValues(classification), profileValues(dependencies, submitter, request));
  const ttl = cappedTtl(values.ttl, settings.submission.max_dtl);
  const limited = request.endpoint === 'ingest' ? bulkValues(values, settings) : limitedValues(values, settings);
  const description = values.description;
  const hasDescription = typeof description === 'string' && description !== '';
  const given = { ...limited, ttl, description: hasDescription ? description : NO_DESCRIPTION };
  const params = readParams(given, classification);
  assertParams(params, dependencies, submitter);
  return { params, hasDescription };
}

/** Reads parameters with their defaults. @throws InvalidInput `invalid_document` */
export function readParams(values: Values, classification: ClassificationEngine): SubmissionParams {
  try {
    return readObject(submissionParams, values, {
      unknown: 'drop',
      classification,
      path: 'params',
    }) as SubmissionParams;
  } catch (error) {
    if (!isTriadError(error)) throw error;
    throw new InvalidInput(error.code, error.message, { cause: error, at: error.at, response: '' });
  }
}

/** Checks what the definition of the parameters does not. @throws InvalidInput `invalid_submission` */
function assertParams(params: SubmissionParams, { classification }: ParamsDependencies, { actor }: Submitter): void {
  assertRange('priority', params.priority, 1, MAX_PRIORITY);
  assertRange('ttl', params.ttl, -MAX_TTL, MAX_TTL);
  const { filetype_override: type } = params;
  if (type !== undefined && !KNOWN_TYPES.has(type)) {
    throw invalidSubmission(`Filetype override '${type}' is not a recognized file type in the system`);
  }
  if (!classification.isAccessible(actor.classification, params.classification)) throw classificationTooHigh();
}

export function classificationTooHigh(): InvalidInput {
  return invalidSubmission(
    "You cannot start a submission with higher classification then you're allowed to see",
    'params.classification',
  );
}

function assertRange(name: string, value: number, least: number, greatest: number): void {
  const refuse = (comparison: string) => {
    throw new InvalidInput('invalid_submission', `[${name}] Value ${comparison}`, { at: name, response: '' });
  };
  if (value > greatest) refuse(`bigger then the max value. (${value} > ${greatest})`);
  if (value < least) refuse(`smaller then the min value. (${value} < ${least})`);
}

function usualValues(classification: ClassificationEngine): Values {
  return {
    classification: classification.unrestricted,
    deep_scan: false,
    generate_alert: false,
    ignore_cache: false,
    ignore_recursion_prevention: false,
    ignore_filtering: false,
    priority: 1000,
    service_spec: {},
    services: {},
    ttl: 30,
  };
}

function profileValues(dependencies: ParamsDependencies, submitter: Submitter, request: ParamsRequest): Values {
  const { classification, settings, profiles } = dependencies;
  const { actor, organization } = submitter;
  const profile = request.profile === undefined ? undefined : profiles.get(request.profile);
  assertProfile(profiles, profile, actor, request);
  const stored = withoutNulls(storedProfiles(submitter.settings)[request.profile ?? OWN_PROFILE] ?? {});
  const groups = groupsOf(stored, submitter);
  if (organization !== undefined && organization !== '' && !groups.includes(organization)) groups.push(organization);
  const values = mergeValues(
    {
      ...stored,
      groups,
      submitter: actor.username,
      ttl: stored.ttl ?? settings.submission.dtl,
      ...(request.type === undefined || stored.type !== undefined ? {} : { type: request.type }),
    },
    withSubmitter(request.params, actor.username),
  );
  if (profile === undefined) return values;
  if (!classification.isAccessible(actor.classification, profile.classification)) {
    throw new Forbidden(
      'submission_profile_forbidden',
      `You aren't allowed to use '${request.profile}' submission profile`,
      { response: {} },
    );
  }
  return applyProfile(profile, differingValues(usualValues(classification), values), actor, request.services);
}

/** Replaces the submitter of the request: users submit in their own name. */
function withSubmitter(params: Values, submitter: string): Values {
  return { ...params, submitter };
}

function groupsOf(stored: Values, { actor }: Submitter): string[] {
  if (Array.isArray(stored.groups)) return stored.groups.map(String);
  const classification = String(stored.classification ?? actor.classification);
  return actor.groups.filter((group) => classification.includes(group));
}

function assertProfile(
  profiles: ReadonlyMap<string, SubmissionProfile>,
  profile: SubmissionProfile | undefined,
  { roles }: Submitter['actor'],
  request: ParamsRequest,
): void {
  if (profile !== undefined || roles.has('submission_customize')) return;
  if (request.profile === undefined) {
    const names = [...profiles.keys()].map((name) => `'${name}'`).join(', ');
    const message = `You must specify a submission profile. One of: [${names}]`;
    throw new InvalidInput('submission_profile_required', message, { response: {} });
  }
  throw profileMissing(request.profile);
}

export function profileMissing(name: string): InvalidInput {
  const message = `Submission profile '${name}' does not exist`;
  return new InvalidInput('submission_profile_missing', message, { response: {} });
}

/** Returns the parameters of a profile with changes. @throws InvalidInput `parameter_restricted` */
function applyProfile(
  profile: SubmissionProfile,
  changes: Values,
  { roles }: Submitter['actor'],
  services: readonly SelectableService[],
): Values {
  const sent = isObject(changes.services) ? changes.services : {};
  const ofProfile = isObject(profile.params.services) ? profile.params.services : {};
  const excluded = [...namesIn(sent.excluded), ...namesIn(ofProfile.excluded)];
  if (!roles.has('submission_customize') && !roles.has('administration')) {
    assertUnrestricted(profile, changes);
    assertNotExcluded(profile, namesIn(sent.selected), excluded, services);
  }
  const keepsExcluded = sent.excluded === undefined && excluded.length === 0;
  const selection = { ...sent, ...(keepsExcluded ? {} : { excluded: [...new Set(excluded)] }) };
  return mergeValues(withoutNulls(profile.params), withoutNulls({ ...changes, services: selection }));
}

function assertUnrestricted(profile: SubmissionProfile, changes: Values): void {
  const spec = isObject(changes.service_spec) ? changes.service_spec : {};
  for (const [owner, restricted] of Object.entries(profile.restricted_params)) {
    const isSubmission = owner === 'submission';
    const changed = isSubmission ? changes : isObject(spec[owner]) ? spec[owner] : {};
    const found = restricted.filter((name) => Object.hasOwn(changed, name));
    const names = found.filter((name) => !isSubmission || (name !== 'services' && name !== 'service_spec'));
    if (names.length === 0) continue;
    const listed = names.map((name) => `"${name}"`).join(', ');
    const of = isSubmission
      ? `of ${profile.display_name} profile`
      : `of "${owner}" service in "${profile.display_name}" profile`;
    throw restrictedParameter(`User isn't allowed to modify the ${listed} parameters ${of}`);
  }
}

function assertNotExcluded(
  profile: SubmissionProfile,
  selected: readonly string[],
  excluded: readonly string[],
  services: readonly SelectableService[],
): void {
  for (const { name, category } of services) {
    const isIn = (list: readonly string[]) => list.includes(name) || list.includes(category);
    if (!isIn(selected) || !isIn(excluded)) continue;
    throw restrictedParameter(
      `User isn't allowed to select the ${name} service of "${category}" in "${profile.display_name}" profile`,
    );
  }
}

function restrictedParameter(message: string): InvalidInput {
  return new InvalidInput('parameter_restricted', message, { response: {} });
}

function namesIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.map(String) : [];
}

/** Returns days, at most the limit of the installation; 0 asks for no limit, and gets the highest one. */
function cappedTtl(ttl: unknown, limit: number): unknown {
  const days = typeof ttl === 'string' && /^-?\d+$/.test(ttl) ? Number(ttl) : ttl;
  if (limit === 0 || typeof days !== 'number') return days;
  return days === 0 ? limit : Math.min(days, limit);
}

function limitedValues(values: Values, { submission }: ParamsDependencies['settings']): Values {
  return {
    ...values,
    quota_item: true,
    max_extracted: values.max_extracted ?? submission.default_max_extracted,
    max_supplementary: values.max_supplementary ?? submission.default_max_supplementary,
  };
}

function bulkValues(values: Values, { core, ui }: ParamsDependencies['settings']): Values {
  const { priority } = values;
  const number = typeof priority === 'string' && /^-?\d+$/.test(priority) ? Number(priority) : priority;
  return {
    ...values,
    type: values.type ?? 'INGEST',
    quota_item: values.quota_item ?? false,
    max_extracted: core.ingester.default_max_extracted,
    max_supplementary: core.ingester.default_max_supplementary,
    priority: typeof number === 'number' ? Math.min(number, ui.ingest_max_priority) : number,
  };
}
