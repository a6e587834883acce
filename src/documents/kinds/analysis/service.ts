import { defineDocument } from '../../schema/document-definition.ts';
import {
  anyJson,
  boolean,
  classification,
  enumeration,
  float,
  group,
  integer,
  keyword,
  mapping,
  text,
} from '../../schema/field-builders.ts';
import { ANY_KEY } from '../../schema/field-spec.ts';
import { internal, notStored } from './parts.ts';

export const FETCH_METHODS = ['GET', 'POST', 'GIT'] as const;
export const REGISTRY_TYPES = ['docker', 'harbor'] as const;
export const ACCESS_MODES = ['ReadWriteOnce', 'ReadWriteMany'] as const;
export const UPDATE_CHANNELS = ['stable', 'rc', 'beta', 'dev'] as const;
export const SERVICE_PARAMETER_TYPES = ['str', 'int', 'list', 'bool'] as const;
/** Names of what stands between the signatures of a file. */
export const SIGNATURE_DELIMITERS = [
  'new_line',
  'double_new_line',
  'pipe',
  'comma',
  'space',
  'none',
  'file',
  'custom',
] as const;

export const environmentVariable = group(
  'EnvironmentVariable',
  'A name with a value.',
  internal({ name: keyword('Name.'), value: keyword('Value.') }),
);

const container = group(
  'DockerConfig',
  'Container of a service; kept for the tools of the public system.',
  internal({
    allow_internet_access: boolean('Whether the container may reach the internet.').default(false),
    command: keyword('Command to run.').list().optional(),
    cpu_cores: float('Processor cores.').default(1),
    environment: environmentVariable.list().default([]),
    image: keyword('Image with tag.'),
    registry_username: keyword('User of the registry.').default('').optional(),
    registry_password: keyword('Password of the registry.').default('').optional(),
    registry_type: enumeration('Kind of registry.', REGISTRY_TYPES).default('docker'),
    ports: keyword('Ports.').list().default([]),
    ram_mb: integer('Highest memory in MB.').default(512),
    ram_mb_min: integer('Lowest memory in MB.').default(256),
    service_account: keyword('Account in the cluster.').optional(),
    labels: environmentVariable.list().default([]),
  }),
);

const volume = group(
  'PersistentVolume',
  'A volume of a container.',
  internal({
    mount_path: keyword('Folder in the container.'),
    capacity: keyword('Size.'),
    storage_class: keyword('Class of the storage.'),
    access_mode: enumeration('Access.', ACCESS_MODES).default('ReadWriteOnce'),
  }),
);

const dependency = group(
  'DependencyConfig',
  'A container that a service needs.',
  internal({
    container,
    volumes: mapping('Volumes by name.', volume, { keys: ANY_KEY }).default({}),
    run_as_core: boolean('Whether it runs as a core component.').default(false),
  }),
);

const optionalText = (description: string) => keyword(description).default('').optional();

/** A place that signatures are fetched from. */
export const updateSource = group(
  'UpdateSource',
  'A place that signatures are fetched from.',
  internal({
    name: keyword('Name.'),
    password: optionalText('Password.'),
    pattern: optionalText('Pattern of the files.'),
    private_key: optionalText('Private key.'),
    ca_cert: optionalText('Certificate of the authority.'),
    ssl_ignore_errors: boolean('Whether errors of the certificate are ignored.').default(false),
    proxy: optionalText('Proxy.'),
    uri: keyword('Where it is.').optional(),
    username: optionalText('User name.'),
    headers: environmentVariable.list().default([]),
    default_classification: classification('Classification of signatures that have none.'),
    use_managed_identity: boolean('Whether the identity of the machine signs in.').default(false),
    git_branch: optionalText('Branch.'),
    sync: boolean('Whether signatures that are gone are disabled.').default(false),
    fetch_method: enumeration('How it is fetched.', FETCH_METHODS).default('GET'),
    enabled: boolean('Whether it is fetched.').default(true),
    override_classification: boolean('Whether its classification replaces that of signatures.').default(false),
    configuration: mapping('Settings.', anyJson('A setting.'), { keys: ANY_KEY }).default({}),
    update_interval: integer('Seconds between updates.', { minimum: 1 }).optional(),
    ignore_cache: boolean('Whether it is fetched even when nothing changed.').default(false),
    data: text('Body of the request.').optional(),
  }),
);

const updateConfig = group('UpdateConfig', 'How a service gets its signatures.', {
  generates_signatures: boolean('Whether there are signatures.').default(false).notStored(),
  ...internal({
    sources: updateSource.list().default([]),
    update_interval_seconds: integer('Seconds between updates.'),
    wait_for_update: boolean('Whether the service waits for the first update.').default(false),
    signature_delimiter: enumeration('What stands between signatures.', SIGNATURE_DELIMITERS).default(
      'double_new_line',
    ),
    custom_delimiter: keyword('What stands between signatures, when it is none of the names.').optional(),
    default_pattern: text('Pattern of the files.').default('.*'),
  }),
});

const submissionParameter = group(
  'ServiceParameter',
  'A parameter that a submission may set.',
  internal({
    default: anyJson('Value when none is set.'),
    name: keyword('Name.'),
    type: enumeration('Type.', SERVICE_PARAMETER_TYPES),
    value: anyJson('Value.'),
    list: anyJson('Values to choose from.').optional(),
    hide: boolean('Whether it is hidden.').default(false),
  }),
);

export const serviceDocument = defineDocument({
  name: 'service',
  title: 'AnalysisService',
  description: 'A version of a service that analyses files.',
  classificationField: 'classification',
  takesSingleValues: true,
  identifierInText: true,
  fields: {
    accepts: keyword('Expression of the types of files that it takes.').default('.*'),
    rejects: keyword('Expression of the types of files that it does not take.').default('empty|metadata/.*').optional(),
    category: keyword('Category.').default('Static Analysis').copyToText(),
    description: text('What it does, for people.').default('NA').copyToText(),
    enabled: boolean('Whether it runs.').default(false),
    name: keyword('Name.').copyToText(),
    version: keyword('Version.'),
    stage: keyword('Stage of the analysis.').default('CORE').copyToText(),
    ...notStored({
      auto_update: boolean('Whether it is updated by itself.').optional(),
      classification: classification('Who may see it.'),
      default_result_classification: classification('Classification of results that have none.'),
      is_external: boolean('Whether it sends files to others.').default(false),
      licence_count: integer('Workers that its licence allows; 0 is unlimited.').default(0),
      min_instances: integer('Fewest workers.').optional(),
      max_queue_length: integer('Tasks that may wait; 0 is unlimited.').default(0),
      uses_tags: boolean('Whether it gets tags.').default(false),
      uses_tag_scores: boolean('Whether it gets the scores of tags.').default(false),
      uses_temp_submission_data: boolean('Whether it gets temporary data.').default(false),
      uses_metadata: boolean('Whether it gets metadata.').default(false),
      monitored_keys: keyword('Temporary data whose change makes it run again.').list().default([]),
      privileged: boolean('Whether it works inside the core.').default(false),
      disable_cache: boolean('Whether results are never reused.').default(false),
      timeout: integer('Seconds for a file.').default(60),
      update_channel: enumeration('Channel of updates.', UPDATE_CHANNELS).default('stable'),
      recursion_prevention: keyword('Services and categories that are left out below it.').list().default([]),
      dependencies: mapping('Containers that it needs, by name.', dependency, { keys: ANY_KEY }).default({}).internal(),
    }),
    ...internal({
      config: mapping('Settings.', anyJson('A setting.'), { keys: ANY_KEY }).default({}),
      submission_params: submissionParameter.list().default([]),
    }),
    docker_config: container,
    update_config: updateConfig.optional(),
  },
});

export type Service = typeof serviceDocument.Type;
export type ServiceParameter = Service['submission_params'][number];
export type UpdateSource = typeof updateSource.Value;
