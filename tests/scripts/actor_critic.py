"""Policy gradients: two heads, whose gradients the script computes and gives to Module.backward."""

import mxnet as mx
import numpy as np

mx.random.seed(33)
rng = np.random.RandomState(33)
games, steps, gamma = 32, 12, 0.95


class Catch(object):
    """Many games at once: a stone falls through six rows, and a basket below has to catch it."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.stone, self.basket, self.row = rng.randint(0, 7, games), rng.randint(0, 7, games), 0

    def state(self):
        return np.concatenate([np.eye(7)[self.stone], np.eye(7)[self.basket]], axis=1)

    def act(self, action):
        self.basket, self.row = np.clip(self.basket + action - 1, 0, 6), self.row + 1
        caught = (self.basket == self.stone) * 2.0 - 1
        done = self.row == 6
        if done:
            self.reset()
        return caught * done, done


net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=48, name="fc1")
net = mx.sym.Activation(net, act_type="relu")
policy = mx.sym.SoftmaxActivation(mx.sym.FullyConnected(net, num_hidden=3, name="policy"))
value = mx.sym.FullyConnected(net, num_hidden=1, name="value")
log_policy = mx.sym.log(mx.sym.clip(policy, a_min=1e-5, a_max=1 - 1e-5))
entropy = mx.sym.MakeLoss(mx.sym.sum(policy * log_policy, axis=1), grad_scale=0.01)
chosen = mx.sym.pick(log_policy, mx.sym.Variable("action"))
net = mx.sym.Group([mx.sym.BlockGrad(policy), chosen, value, entropy])

actor = mx.mod.Module(net, data_names=("data", "action"), label_names=None)
rows = games * 6
actor.bind([("data", (rows, 14)), ("action", (rows,))])
actor.init_params(mx.init.Xavier())
actor.init_optimizer(
    optimizer="adam", optimizer_params={"learning_rate": 0.01, "rescale_grad": 1.0 / rows}, kvstore=None
)
play = mx.mod.Module(net, data_names=("data", "action"), label_names=None)
play.bind([("data", (games, 14)), ("action", (games,))], for_training=False, shared_module=actor)

env, course = Catch(), []
for _ in range(250):
    states, actions, rewards = [], [], []
    while True:
        states.append(env.state())
        batch = mx.io.DataBatch([mx.nd.array(states[-1]), mx.nd.zeros((games,))])
        play.forward(batch, is_train=False)
        chances = play.get_outputs()[0].asnumpy().astype("float64").cumsum(axis=1)
        actions.append((rng.rand(games, 1) > chances[:, :2]).sum(axis=1))
        reward, done = env.act(actions[-1])
        rewards.append(reward)
        if done:
            break
    returns, total = [], np.zeros(games)
    for reward in rewards[::-1]:
        total = reward + gamma * total
        returns.insert(0, total)
    course.append(rewards[-1].mean())
    data, action = np.concatenate(states), np.concatenate(actions)
    actor.forward(mx.io.DataBatch([mx.nd.array(data), mx.nd.array(action)]), is_train=True)
    values = actor.get_outputs()[2].asnumpy().ravel()
    advantage = np.concatenate(returns) - values
    actor.backward(
        [
            mx.nd.zeros((rows, 3)),
            mx.nd.array(-advantage),
            mx.nd.array(-0.5 * advantage[:, None]),
            mx.nd.ones((rows,)),
        ]
    )
    actor.update()
print("reward %.2f, then %.2f" % (np.mean(course[:10]), np.mean(course[-10:])))
assert np.mean(course[:10]) < 0 and np.mean(course[-10:]) > 0.8
