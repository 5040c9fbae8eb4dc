/** With `api.rest.compat: "strapi"` answers have the recorded shape, for those who move a front-end over. */
import { loadRecording } from './recording.ts'
import { replayOnEachEngine } from './suite.ts'

/** The areas whose answers differ in shape. */
const AREAS = ['envelope', 'create', 'components', 'dynamic-zones', 'single-types']

replayOnEachEngine(
  loadRecording().cases.filter(({ name }) => AREAS.some((area) => name.startsWith(`${area}:`))),
  { compatible: true },
)
