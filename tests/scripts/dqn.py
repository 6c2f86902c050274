"""Q-learning with a replay memory and a target network: walk along a corridor to its end."""

import mxnet as mx
import numpy as np

mx.random.seed(10)
rng = np.random.RandomState(10)
length, batch, gamma = 6, 32, 0.9


class QLoss(mx.operator.CustomOp):
    """The values unchanged; the gradient is that of the chosen action's squared error, clipped."""

    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0])

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        x, action, reward = out_data[0].asnumpy(), in_data[1].asnumpy().astype(int), in_data[2].asnumpy()
        dx = np.zeros_like(x)
        rows = np.arange(len(action))
        dx[rows, action] = np.clip(x[rows, action] - reward, -1, 1)
        self.assign(in_grad[0], req[0], mx.nd.array(dx))


@mx.operator.register("q_loss")
class QLossProp(mx.operator.CustomOpProp):
    def __init__(self):
        super(QLossProp, self).__init__(need_top_grad=False)

    def list_arguments(self):
        return ["data", "action", "reward"]

    def infer_shape(self, in_shape):
        return [in_shape[0], (in_shape[0][0],), (in_shape[0][0],)], [in_shape[0]], []

    def create_operator(self, ctx, shapes, dtypes):
        return QLoss()


def network(size):
    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=24, name="fc1")
    net = mx.sym.FullyConnected(mx.sym.Activation(net, act_type="relu"), num_hidden=2, name="fc2")
    net = mx.sym.Custom(data=net, name="dqn", op_type="q_loss")
    module = mx.mod.Module(net, data_names=("data", "dqn_action", "dqn_reward"), label_names=None)
    module.bind([("data", (size, length)), ("dqn_action", (size,)), ("dqn_reward", (size,))])
    return module


learner, target = network(batch), network(batch)
learner.init_params(mx.init.Xavier())
learner.init_optimizer(optimizer="adam", optimizer_params={"learning_rate": 0.005})
actor = network(1)
target.init_params(arg_params=learner.get_params()[0])
actor.init_params(arg_params=learner.get_params()[0])


def values(module, states):
    empty = mx.nd.zeros((len(states),))
    module.forward(mx.io.DataBatch([mx.nd.array(states), empty, empty], []), is_train=False)
    return module.get_outputs()[0].asnumpy()


def play(epsilon):
    at, path = 0, []
    for _ in range(30):
        state = np.eye(length)[at]
        action = rng.randint(2) if rng.rand() < epsilon else values(actor, [state])[0].argmax()
        to = min(at + 1, length - 1) if action else max(at - 1, 0)
        done = to == length - 1
        path.append((state, action, 1.0 if done else 0.0, np.eye(length)[to], done))
        at = to
        if done:
            break
    return path


memory = []
for episode in range(100):
    memory += play(max(0.1, 1 - episode / 20.0))
    for _ in range(8):
        some = [memory[i] for i in rng.randint(0, len(memory), batch)]
        state, action, reward, after, done = (np.array(part, dtype="float32") for part in zip(*some))
        goal = reward + gamma * (1 - done) * values(target, after).max(axis=1)
        learner.forward(mx.io.DataBatch([mx.nd.array(v) for v in (state, action, goal)], []), is_train=True)
        learner.backward()
        learner.update()
    for other in (target, actor):
        other.set_params(*learner.get_params())

steps = len(play(0))
print(
    "steps %d, values %s"
    % (steps, np.round(values(target, np.resize(np.eye(length), (batch, length)))[0], 2))
)
assert steps == length - 1
