import type { ReactNode } from 'react';
import { CopyButton } from '../../design/data/values/copy-button.tsx';
import { SimpleTable } from '../../design/layout/simple-table.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import styles from './api-reference.module.css';
import { CodeWords } from './code-words.tsx';
import { type Caller, curlLine } from './curl-line.ts';
import { type Access, type ApiRoute, type OpenApiDocument, resolvedResponse, type Schema } from './openapi.ts';
import { schemaFields, typeOf } from './schema-fields.ts';

interface Props {
  readonly document: OpenApiDocument;
  readonly route: ApiRoute;
  readonly caller: Caller;
}

/** Draws all of a route: who may call it, what it takes, what it answers, and a line for curl. */
export function RouteDetails({ document, route, caller }: Props) {
  const { t } = useTranslation();
  const { description, parameters = [], requestBody, responses } = route;
  const line = curlLine(document, route, caller);
  return (
    <div className={styles.details}>
      {description === undefined ? null : (
        <p>
          <CodeWords text={description} />
        </p>
      )}
      <Part title={t('apiReference.access')}>
        <AccessWords access={route['x-access']} />
      </Part>
      <Part title="curl">
        <div className={styles.curl}>
          <code>{line}</code>
          <CopyButton value={line} plain />
        </div>
      </Part>
      {parameters.length > 0 && (
        <Part title={t('apiReference.parameters')}>
          <SimpleTable
            label={t('apiReference.parameters')}
            rows={parameters}
            keyOf={(one) => `${one.in} ${one.name}`}
            columns={[
              { id: 'name', title: t('common.name'), cell: ({ name }) => <code>{name}</code> },
              { id: 'in', title: t('apiReference.in'), cell: (one) => one.in },
              {
                id: 'type',
                title: t('apiReference.type'),
                cell: ({ schema }) => <code>{typeOf(document, schema ?? {})}</code>,
              },
              {
                id: 'needed',
                title: t('apiReference.needed'),
                cell: ({ required }) => t(required ? 'common.yes' : 'common.no'),
              },
              { id: 'meaning', title: t('apiReference.meaning'), cell: (one) => <CodeWords text={one.description} /> },
            ]}
          />
        </Part>
      )}
      {Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => (
        <Part key={type} title={`${t('apiReference.body')} · ${type}`}>
          {schema === undefined ? null : <Fields document={document} schema={schema} label={type} />}
        </Part>
      ))}
      <Part title={t('apiReference.answers')}>
        {Object.entries(responses).map(([status, given]) => {
          const response = resolvedResponse(document, given);
          const schema = Object.values(response.content ?? {})[0]?.schema;
          return (
            <div key={status} className={styles.answer}>
              <p>
                <code>{status}</code> <CodeWords text={response.description} />
              </p>
              {given.$ref === undefined && schema !== undefined && (
                <Fields document={document} schema={schema.properties?.api_response ?? schema} label={status} />
              )}
            </div>
          );
        })}
      </Part>
    </div>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className={styles.part}>
      <h4>{title}</h4>
      {children}
    </div>
  );
}

/** Says who may call a route. */
function AccessWords({ access }: { readonly access: Access | undefined }) {
  const { t } = useTranslation();
  if (access === undefined || access === 'public') return <p>{t('apiReference.public')}</p>;
  const { privileges, roles, audit } = access;
  const listed = (given: readonly string[] | string) => (typeof given === 'string' ? undefined : given.join(', '));
  const sentences = [
    listed(privileges) === undefined ? undefined : t('apiReference.privileges', { names: listed(privileges) }),
    t('apiReference.roles', { names: listed(roles) ?? t('apiReference.anyRole') }),
    audit === true ? t('apiReference.audited') : undefined,
  ];
  return <p>{sentences.filter((one) => one !== undefined).join(' ')}</p>;
}

interface FieldsProps {
  readonly document: OpenApiDocument;
  readonly schema: Schema;
  readonly label: string;
}

function Fields({ document, schema, label }: FieldsProps) {
  const { t } = useTranslation();
  const { fields, isCut } = schemaFields(document, schema);
  if (fields.length === 0) return null;
  return (
    <>
      <SimpleTable
        label={label}
        rows={fields}
        keyOf={({ path }) => path}
        columns={[
          {
            id: 'path',
            title: t('apiReference.member'),
            cell: ({ path }) => (path === '' ? t('apiReference.whole') : <code>{path}</code>),
          },
          { id: 'type', title: t('apiReference.type'), cell: ({ type }) => <code>{type}</code> },
          {
            id: 'needed',
            title: t('apiReference.needed'),
            cell: ({ isRequired }) => t(isRequired ? 'common.yes' : 'common.no'),
          },
          {
            id: 'meaning',
            title: t('apiReference.meaning'),
            cell: ({ description }) => <CodeWords text={description} />,
          },
        ]}
      />
      {isCut && <p className={styles.quiet}>{t('apiReference.cut', { count: fields.length })}</p>}
    </>
  );
}
