import type { components } from '../../api/generated/alerts.ts';
import { Combobox } from '../../design/forms/choices/combobox.tsx';
import { FormRow } from '../../design/forms/form.tsx';
import { TextField } from '../../design/forms/text-field.tsx';
import type { BoundField } from '../../design/forms/use-form.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { useConfiguration } from '../../shell/session-context.tsx';
import { CUSTOM_FIELD } from '../alerts/alert/related/link-address.ts';
import { ItemList } from './item-list.tsx';
import { LabelFields } from './label-fields.tsx';

export type Pivot = components['schemas']['Pivot'];

const BLANK: Pivot = {
  icon: 'material-symbols:link',
  label: { en: '', fr: '' },
  format: 'link',
  value: '',
  mappings: [],
};

/** Draws the links of a dossier into other tools, and which values of the alert they get. */
export function PivotFields({ name, value, error, onChange }: BoundField<readonly Pivot[]>) {
  const { t } = useTranslation();
  return (
    <ItemList
      label={t('dossiers.pivots')}
      name={name}
      error={error}
      items={value}
      onChange={onChange}
      addLabel={t('dossiers.addPivot')}
      removeLabel={t('dossiers.removePivot')}
      blank={BLANK}
    >
      {(pivot, change) => (
        <>
          <LabelFields value={pivot.label} onChange={(label) => change({ label })} />
          <FormRow>
            <TextField
              label={t('dossiers.format')}
              hint={t('dossiers.pivotFormats')}
              data
              value={pivot.format}
              onChange={(format) => change({ format })}
            />
            <TextField
              label={t('dossiers.group')}
              hint={t('dossiers.groupHint')}
              optional
              data
              value={pivot.group ?? ''}
              onChange={(group) => change({ group })}
            />
          </FormRow>
          <TextField
            label={t('dossiers.value')}
            hint={t('dossiers.valueHint')}
            data
            value={pivot.value}
            onChange={(next) => change({ value: next })}
          />
          <Mappings value={pivot.mappings ?? []} onChange={(mappings) => change({ mappings: [...mappings] })} />
        </>
      )}
    </ItemList>
  );
}

type Mapping = Pivot['mappings'][number];

interface MappingsProps {
  readonly value: readonly Mapping[];
  readonly onChange: (mappings: readonly Mapping[]) => void;
}

function Mappings({ value, onChange }: MappingsProps) {
  const { t } = useTranslation();
  const fields = Object.entries(useConfiguration().data?.indexes.hit ?? {});
  return (
    <ItemList
      label={t('dossiers.mappings')}
      name="mappings"
      error={undefined}
      items={value}
      onChange={onChange}
      addLabel={t('dossiers.addMapping')}
      removeLabel={t('dossiers.removeMapping')}
      blank={{ key: '', field: '' }}
    >
      {(mapping, change) => (
        <FormRow>
          <TextField label={t('dossiers.key')} data value={mapping.key} onChange={(key) => change({ key })} />
          <Combobox
            label={t('dossiers.field')}
            data
            options={[
              { value: CUSTOM_FIELD, label: CUSTOM_FIELD, detail: t('dossiers.customField') },
              ...fields.map(([value, { description }]) => ({ value, label: value, detail: description ?? '' })),
            ]}
            allowNew
            value={mapping.field === '' ? undefined : mapping.field}
            onChange={(field) => change({ field: field ?? '' })}
          />
          {mapping.field === CUSTOM_FIELD ? (
            <TextField
              label={t('dossiers.customValue')}
              data
              value={mapping.custom_value ?? ''}
              onChange={(value) => change({ custom_value: value })}
            />
          ) : null}
        </FormRow>
      )}
    </ItemList>
  );
}
