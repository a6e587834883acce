import { boolean, enumeration, group, keyword } from '../../schema/field-builders.ts';

const USE_PLATFORM_FIELDS = 'Use the fields of the cloud platform instead, such as azure.tenant_id or aws.account.id.';

const awsAccount = group('Account', 'AWS account.', {
  id: keyword('Number of the account.').optional(),
  name: keyword('Name of the account.').optional(),
});

const awsOrganization = group('Organization', 'AWS organization.', {
  id: keyword('Identifier of the organization.').optional(),
  organizational_unit: keyword('Organizational unit.').optional(),
});

export const aws = group('AWS', 'Amazon Web Services.', {
  account: awsAccount.optional(),
  organization: awsOrganization.optional(),
});

export const azure = group('Azure', 'Microsoft Azure.', {
  subscription_id: keyword('Identifier of the subscription.').optional(),
  tenant_id: keyword('Identifier of the tenant.').optional(),
  resource_group: keyword('Resource group.').optional(),
  upn: keyword('Principal name of the user.').optional(),
  resource_id: keyword('Identifier of the resource.').optional(),
});

export const gcp = group('GCP', 'Google Cloud.', {
  project_id: keyword('Identifier of the project.').optional(),
  network_id: keyword('Identifier of the network.').optional(),
  zone: keyword('Zone.').optional(),
  service_account_id: keyword('Identifier of the service account.').optional(),
  resource_id: keyword('Identifier of the resource.').optional(),
});

const sharepointChange = group('SharepointData', 'Who did something, with what.', {
  application: keyword('Application that was used.').optional(),
  user: keyword('User who did it.').optional(),
});

const sharepoint = group('Sharepoint', 'SharePoint item.', {
  created: sharepointChange.optional(),
  modified: sharepointChange.optional(),
});

export const cbs = group('CBS', 'Cloud-based sensor.', { sharepoint: sharepoint.optional() });

const cloudAccount = group('Account', 'Cloud account.', {
  id: keyword('Identifier of the account.').optional().deprecated(USE_PLATFORM_FIELDS),
  name: keyword('Name of the account.').optional().deprecated(USE_PLATFORM_FIELDS),
});

const cloudInstance = group('Instance', 'Virtual machine.', {
  id: keyword('Identifier of the machine.').optional(),
  name: keyword('Name of the machine.').optional(),
});

const cloudMachine = group('Machine', 'Kind of virtual machine.', {
  type: keyword('Size or type of the machine.').optional(),
});

const cloudProject = group('Project', 'Cloud project.', {
  id: keyword('Identifier of the project.').optional().deprecated(USE_PLATFORM_FIELDS),
  name: keyword('Name of the project.').optional().deprecated(USE_PLATFORM_FIELDS),
});

const cloudService = group('Service', 'Cloud service.', { name: keyword('Name of the service.').optional() });

export const cloud = group('Cloud', 'Cloud that the record comes from.', {
  account: cloudAccount.optional().deprecated(USE_PLATFORM_FIELDS),
  availability_zone: keyword('Availability zone.').optional().deprecated(USE_PLATFORM_FIELDS),
  instance: cloudInstance.optional(),
  machine: cloudMachine.optional(),
  project: cloudProject.optional().deprecated(USE_PLATFORM_FIELDS),
  provider: keyword('Name of the provider, such as aws.').optional(),
  region: keyword('Region.').optional(),
  service: cloudService.optional(),
  tenant_id: keyword('Identifier of the tenant.').optional().deprecated(USE_PLATFORM_FIELDS),
});

const imageHash = group('Hash', 'Hashes of a container image.', {
  all: keyword('Every known hash, as `algorithm:value`.').list().default([]),
});

export const containerImage = group('Image', 'Image of a container.', {
  hash: imageHash.optional(),
  name: keyword('Name of the image.').optional(),
  tag: keyword('Tags of the image.').list().default([]),
});

const trigger = group('Trigger', 'What made a function run.', {
  request_id: keyword('Identifier of the request or message.').optional(),
  type: enumeration('Kind of trigger.', ['http', 'pubsub', 'datasource', 'timer', 'other']).optional(),
});

export const functionAsService = group('FAAS', 'Function that a provider runs on demand.', {
  coldstart: boolean('Whether it had to be started for this run.').optional(),
  execution: keyword('Identifier of the run.').optional(),
  id: keyword('Identifier of the function.').optional(),
  name: keyword('Name of the function.').optional(),
  trigger: trigger.optional(),
  version: keyword('Version of the function.').optional(),
});
