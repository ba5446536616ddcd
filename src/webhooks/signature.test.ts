import { expect, test } from 'vitest'
import { createSecret, signatureHeaders } from './signature.ts'

test('the example of the specification', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const at = new Date(1_614_265_330_000)
  expect(signatureHeaders(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', '{"test": 2432232314}', at)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('a secret has 32 bytes', () => {
  const [, text = ''] = createSecret().split('_')
  expect(Buffer.from(text, 'base64')).toHaveLength(32)
})
