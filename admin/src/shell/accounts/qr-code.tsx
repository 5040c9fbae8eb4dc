/** A text as a QR code, to be read by the camera of another device. */
import { encode } from 'uqr'
import styles from './accounts.module.css'

/** The white border that readers need, in modules. */
const BORDER = 4

interface QrCodeProps {
  readonly value: string
  /** What the code contains, for those who cannot see it. */
  readonly label: string
}

/** Black on white in both colour schemes: many readers refuse the opposite. */
export default function QrCode({ value, label }: QrCodeProps) {
  const { data, size } = encode(value, { ecc: 'M', border: BORDER })
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg
      className={styles.qrCode}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={modules.join('')} fill="#000000" />
    </svg>
  )
}
