import os
import time

from assemblyline.common import forge
from assemblyline_v4_service.common.base import ServiceBase
from assemblyline_v4_service.common.result import Result, ResultSection

# Where the container of a service has the definition of its installation.
MOUNTED = '/etc/assemblyline/classification.yml'
if 'PROBE_CLASSIFICATION' in os.environ:
    forge.classification_engines[MOUNTED] = forge.get_classification(os.environ['PROBE_CLASSIFICATION'])


class Probe(ServiceBase):
    """Obeys the lines of a text: child, classified, count, password, locked, sleep, tag."""

    def execute(self, request):
        result = Result()
        request.result = result
        with open(request.file_path, encoding='latin-1') as opened:
            lines = opened.read().splitlines()
        known = request.temp_submission_data.get('passwords') or []
        for line in lines:
            command, _, value = line.partition('=')
            if command == 'child':
                path = os.path.join(self.working_directory, value)
                with open(path, 'w') as child:
                    child.write('child of the probe\n' + value)
                request.add_extracted(path, value, 'written by the probe')
            elif command == 'classified':
                section = ResultSection('Secret', body='for few', classification=value)
                section.add_tag('network.static.domain', 'secret.example.com')
                result.add_section(section)
            elif command == 'count':
                with open(value, 'a') as counted:
                    counted.write(f'{request.sha256}\n')
            elif command == 'password':
                request.temp_submission_data['passwords'] = [value]
                result.add_section(ResultSection('Password', body=value))
            elif command == 'locked':
                if value in known:
                    result.add_section(ResultSection('Opened', body=value))
                else:
                    request.partial()
            elif command == 'sleep' and not os.path.exists(value):
                open(value, 'w').close()
                time.sleep(60)
            elif command == 'tag':
                section = ResultSection('Tag', body=value)
                section.add_tag('network.static.ip', value)
                section.set_heuristic(1)
                result.add_section(section)
